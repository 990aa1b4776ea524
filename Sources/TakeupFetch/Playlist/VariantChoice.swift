/// The variant and the audio rendition of a master playlist that suit an export best.
public struct VariantChoice: Equatable, Sendable {
    public private(set) var variant: MasterPlaylist.Variant
    /// The chosen audio rendition; nil if the variant's own stream seems to contain its sound.
    public private(set) var audio: MasterPlaylist.Rendition?

    /// Chooses the smallest variant that fills the wanted size, otherwise the largest.
    ///
    /// Of equal variants, the one with the highest bit rate wins, then the first. A variant without
    /// pictures or of unknown size is only a last resort. If the best variant has separate sound, a
    /// variant with its own sound wins if it fills the size too or is as large. Fails for a
    /// playlist without variants.
    ///
    /// - Parameters:
    ///   - master: The master playlist; its addresses may be relative.
    ///   - limit: The largest picture that the export needs.
    ///   - languages: Wanted audio languages, the most wanted first (`de`, `pt-BR`).
    public init?(
        _ master: MasterPlaylist, within limit: PictureLimit = PictureLimit(),
        languages: [String] = []
    ) {
        guard let best = Self.best(master.variants, limit) else { return nil }
        let sound = Self.audio(of: best, in: master, languages: languages)
        (variant, audio) = (best, sound)
        guard sound?.uri != nil else { return }
        let whole = master.variants.filter { variant in
            !variant.isSilent
                && Self.audio(of: variant, in: master, languages: languages)?.uri == nil
        }
        guard let other = Self.best(whole, limit), Self.serves(other, insteadOf: best, limit) else {
            return
        }
        (variant, audio) = (other, Self.audio(of: other, in: master, languages: languages))
    }

    private static func best(
        _ variants: [MasterPlaylist.Variant], _ limit: PictureLimit
    ) -> MasterPlaylist.Variant? {
        var best: MasterPlaylist.Variant?
        for variant in variants {
            let isBetter =
                best.map { rank($0, limit).lexicographicallyPrecedes(rank(variant, limit)) } ?? true
            if isBetter { best = variant }
        }
        return best
    }

    /// Ranks a variant: higher is better, and earlier numbers count first.
    private static func rank(_ variant: MasterPlaylist.Variant, _ limit: PictureLimit) -> [Int64] {
        guard let width = variant.width, let height = variant.height else {
            return [variant.isSoundAlone ? 0 : 1, 0, variant.bandwidth]
        }
        let fills = limit.isFilled(width: width, height: height)
        let pixels = Int64(width) * Int64(height)
        return [fills ? 3 : 2, fills ? -pixels : pixels, variant.bandwidth]
    }

    /// Returns whether using the other variant loses no picture quality.
    private static func serves(
        _ other: MasterPlaylist.Variant, insteadOf best: MasterPlaylist.Variant,
        _ limit: PictureLimit
    ) -> Bool {
        let (rank, bestRank) = (rank(other, limit), rank(best, limit))
        return rank[0] == 3 || rank.prefix(2) == bestRank.prefix(2)
    }

    /// Chooses the audio rendition by language, then the default, then one for automatic choice,
    /// then the first.
    private static func audio(
        of variant: MasterPlaylist.Variant, in master: MasterPlaylist, languages: [String]
    ) -> MasterPlaylist.Rendition? {
        let group = master.renditions.filter {
            $0.kind == .audio && $0.group == variant.audioGroup
        }
        for language in languages {
            let spoken = group.filter { speaks($0, language) }
            if let chosen = usual(spoken) { return chosen }
        }
        return usual(group)
    }

    private static func usual(
        _ renditions: [MasterPlaylist.Rendition]
    ) -> MasterPlaylist.Rendition? {
        renditions.first { $0.isDefault } ?? renditions.first { $0.isAutomatic }
            ?? renditions.first
    }

    /// Returns whether a rendition matches a language: `pt` matches `pt-BR`, but not the reverse.
    private static func speaks(
        _ rendition: MasterPlaylist.Rendition, _ language: String
    ) -> Bool {
        guard let spoken = rendition.language?.lowercased() else { return false }
        let wanted = language.lowercased()
        return spoken == wanted || spoken.hasPrefix(wanted + "-")
    }
}

/// Which variant and which sound of a master playlist serve an export best.
public struct VariantChoice: Equatable, Sendable {
    public private(set) var variant: MasterPlaylist.Variant
    /// nil when the variant's own stream holds its sound, as far as the playlist tells.
    public private(set) var audio: MasterPlaylist.Rendition?

    /// Chooses the smallest variant that fills the wanted size, else the largest; of equals
    /// the one with the highest bit rate, then the first.
    ///
    /// A variant without pictures, or of unknown size, is taken only where there is no better. Where
    /// the sound of the best is apart, one that holds its own goes first if it fills the size too, or
    /// is as large. Fails for a playlist without variants.
    ///
    /// - Parameters:
    ///   - master: Its addresses may still be relative.
    ///   - limit: What the export's pictures must fit into.
    ///   - languages: Wanted for the sound, the most wanted first (`de`, `pt-BR`).
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

    /// The higher the better, from the first number on.
    private static func rank(_ variant: MasterPlaylist.Variant, _ limit: PictureLimit) -> [Int64] {
        guard let width = variant.width, let height = variant.height else {
            return [variant.isSoundAlone ? 0 : 1, 0, variant.bandwidth]
        }
        let fills = limit.isFilled(width: width, height: height)
        let pixels = Int64(width) * Int64(height)
        return [fills ? 3 : 2, fills ? -pixels : pixels, variant.bandwidth]
    }

    /// Whether the pictures of another variant lose nothing.
    private static func serves(
        _ other: MasterPlaylist.Variant, insteadOf best: MasterPlaylist.Variant,
        _ limit: PictureLimit
    ) -> Bool {
        let (rank, bestRank) = (rank(other, limit), rank(best, limit))
        return rank[0] == 3 || rank.prefix(2) == bestRank.prefix(2)
    }

    /// By language, then the default one, then one made for choosing, then the first.
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

    /// `pt` is spoken by `pt-BR`, but not the other way round.
    private static func speaks(
        _ rendition: MasterPlaylist.Rendition, _ language: String
    ) -> Bool {
        guard let spoken = rendition.language?.lowercased() else { return false }
        let wanted = language.lowercased()
        return spoken == wanted || spoken.hasPrefix(wanted + "-")
    }
}

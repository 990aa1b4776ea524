/// Which variant and which sound of a master playlist serve an export best.
public struct VariantChoice: Equatable, Sendable {
    public let variant: MasterPlaylist.Variant
    /// nil when the variant's own stream holds its sound, as far as the playlist tells.
    public let audio: MasterPlaylist.Rendition?

    /// Chooses the smallest variant that fills the wanted size, else the largest; of equals
    /// the one with the highest bit rate, then the first.
    ///
    /// A variant without pictures, or of unknown size, is taken only where there is no better.
    /// Fails for a playlist without variants.
    ///
    /// - Parameters:
    ///   - master: Its addresses may still be relative.
    ///   - maxWidth: What the export's pictures must fit into, in pixels; nil for no limit.
    ///   - maxHeight: As `maxWidth`.
    ///   - languages: Wanted for the sound, the most wanted first (`de`, `pt-BR`).
    public init?(
        _ master: MasterPlaylist, maxWidth: Int?, maxHeight: Int?, languages: [String] = []
    ) {
        let limit = (width: maxWidth ?? .max, height: maxHeight ?? .max)
        var best: MasterPlaylist.Variant?
        for variant in master.variants {
            guard let held = best else {
                best = variant
                continue
            }
            let (rank, heldRank) = (
                Self.rank(variant, limit.width, limit.height),
                Self.rank(held, limit.width, limit.height)
            )
            if heldRank.lexicographicallyPrecedes(rank) { best = variant }
        }
        guard let best else { return nil }
        variant = best
        audio = Self.audio(of: best, in: master, languages: languages)
    }

    /// The higher the better, from the first number on.
    private static func rank(
        _ variant: MasterPlaylist.Variant, _ maxWidth: Int, _ maxHeight: Int
    ) -> [Int64] {
        guard let width = variant.width, let height = variant.height else {
            return [variant.isSoundAlone ? 0 : 1, 0, variant.bandwidth]
        }
        let fills = width >= maxWidth || height >= maxHeight
        let pixels = Int64(width) * Int64(height)
        return [fills ? 3 : 2, fills ? -pixels : pixels, variant.bandwidth]
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

/// One step of what is exported, in order: where its pictures and its sound come from.
struct Clip: Sendable, Equatable {
    /// Places in the session's list of assets; nil leaves that kind out.
    var videoSource: Int?
    var audioSource: Int?
}

extension Clip {
    /// The same step over assets of which some are several parts.
    ///
    /// - Parameters:
    ///   - places: Where the parts of each asset lie among all parts.
    ///   - names: The assets', for messages.
    /// - Returns: A step for each part.
    /// - Throws: `ExportError` with `.unsupported` for parts that should be combined with another asset.
    func parts(_ places: [Range<Int>], _ names: [String]) throws(ExportError) -> [Clip] {
        guard let video = videoSource, let audio = audioSource, video != audio else {
            let places = (videoSource ?? audioSource).map { places[$0] } ?? 0..<0
            return places.map {
                Clip(
                    videoSource: videoSource == nil ? nil : $0,
                    audioSource: audioSource == nil ? nil : $0)
            }
        }
        for source in [video, audio] where places[source].count > 1 {
            throw .unsupported(
                names[source],
                reason: "it is \(places[source].count) parts one after another, and pictures and "
                    + "sound of two files are combined only where each is one part; export it "
                    + "alone first")
        }
        return [Clip(videoSource: places[video].lowerBound, audioSource: places[audio].lowerBound)]
    }
}

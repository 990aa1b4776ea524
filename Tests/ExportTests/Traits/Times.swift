import TestSupport

/// Presentation times of a file's packets as `ffprobe` reads them, in order of presentation.
enum Times {
    /// In ticks of the stream's time base; what an edit list hides is left out.
    static func ticks(_ path: String, stream: String = "v:0") throws -> [Int64] {
        try MediaTools.packets(path, stream: stream).filter { !$0.isDiscarded }
            .map { $0.ptsTicks ?? .min }.sorted()
    }

    /// In seconds.
    static func seconds(_ path: String, stream: String = "v:0") throws -> [Double] {
        try MediaTools.packets(path, stream: stream).filter { !$0.isDiscarded }
            .map { $0.pts ?? .nan }.sorted()
    }
}

/// What an export is made from, as it was given.
enum ExportSources: Sendable, Equatable {
    case joined([String])
    case split(video: String, audio: String)

    var paths: [String] {
        switch self {
        case .joined(let paths): paths
        case .split(let video, let audio): [video, audio]
        }
    }

    var splitsVideoAndAudio: Bool { if case .split = self { true } else { false } }
}

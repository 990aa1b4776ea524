/// The sources of an export, as the user gave them.
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

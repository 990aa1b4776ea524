import TakeupExport

/// What a session is made from; paths are ready to be opened.
struct SessionRequest: Sendable, Equatable {
    enum Sources: Sendable, Equatable {
        case joined([String])
        case split(video: String, audio: String)

        var paths: [String] {
            switch self {
            case .joined(let paths): paths
            case .split(let video, let audio): [video, audio]
            }
        }

        func map(_ transform: (String) -> String) -> Sources {
            switch self {
            case .joined(let paths): .joined(paths.map(transform))
            case .split(let video, let audio):
                .split(video: transform(video), audio: transform(audio))
            }
        }
    }

    let sources: Sources
    let preset: ExportPreset
    let settings: ExportSettings

    func session() -> ExportSession {
        switch sources {
        case .joined(let paths):
            ExportSession(
                joining: paths.map { Asset(path: $0) }, preset: preset, settings: settings)
        case .split(let video, let audio):
            ExportSession(
                video: Asset(path: video), audio: Asset(path: audio), preset: preset,
                settings: settings)
        }
    }
}

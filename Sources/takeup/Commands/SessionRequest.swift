import TakeupExport

/// What a session is made from; paths are ready to be opened.
struct SessionRequest: Sendable {
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
    /// Sources that are no files, by what they are called in `sources`.
    var assets: [String: Asset] = [:]

    func session() -> ExportSession {
        switch sources {
        case .joined(let paths):
            ExportSession(
                joining: paths.map(asset), preset: preset, settings: settings)
        case .split(let video, let audio):
            ExportSession(
                video: asset(video), audio: asset(audio), preset: preset,
                settings: settings)
        }
    }

    private func asset(_ path: String) -> Asset { assets[path] ?? Asset(path: path) }
}

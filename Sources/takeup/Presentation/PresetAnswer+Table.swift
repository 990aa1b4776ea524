import TakeupMediaClient
import TakeupModel
import TakeupIntake

extension PresetAnswer {
    private static let columns = 80

    init(_ preset: ExportPreset, _ found: PlanAnswer) {
        switch found {
        case .plan(let plan): self.init(preset, plan: plan, failure: nil)
        case .refused(let error): self.init(preset, plan: nil, failure: Failure(error))
        }
    }

    /// A table that is 80 columns wide, where names allow it.
    static func lines(_ answers: [PresetAnswer]) -> [String] {
        let head = ["preset", "size", "video", "audio", "bytes", "lost"]
        let rows = answers.map { $0.plan.map(cells) ?? [] }
        let names = answers.map(\.preset.name.escaped)
        let table = zip(names, rows).filter { !$1.isEmpty }.map { [$0] + $1 }
        var widths = TextTable.widths([head] + table)
        widths[0] = max(widths[0], names.map(\.count).max() ?? 0)
        let last = widths.dropLast().map { $0 + 2 }.reduce(0, +)
        var lines = [TextTable.line(head, widths)]
        for (answer, cells) in zip(answers, rows) {
            let name = answer.preset.name.escaped
            guard cells.isEmpty else {
                lines += hanging(
                    TextTable.line([name] + cells.dropLast() + [""], widths), cells[4], last)
                continue
            }
            let start = TextTable.padded(name, to: widths[0] + 2)
            lines += hanging(start, "no: \(answer.failure?.message.escaped ?? "")", start.count)
        }
        return lines
    }

    /// A text behind a start, broken between words.
    private static func hanging(_ start: String, _ text: String, _ indent: Int) -> [String] {
        let parts = TextTable.wrap(text, width: columns - indent)
        return parts.enumerated().map { place, part in
            (place == 0 ? start : String(repeating: " ", count: indent)) + part
        }
    }

    private static func cells(_ plan: ExportPlan) -> [String] {
        let video = plan.tracks.first { $0.type == .video }
        let audio = plan.tracks.first { $0.type == .audio }
        let size = video.flatMap { track in track.width.map { "\($0)x\(track.height ?? 0)" } }
        let bytes = plan.expectedSize.map {
            "\($0.isMeasured ? "" : "~")\(ByteSize(bytes: $0.bytes))"
        }
        let lost = plan.losses.map(\.words).joined(separator: ", ")
        return [
            size ?? "-", video?.mode ?? "-", audio?.mode ?? "-", bytes ?? "?",
            lost.isEmpty ? "nothing" : lost,
        ]
    }
}

extension PlanLoss {
    /// As people read it.
    fileprivate var words: String {
        switch self {
        case .resolution: "size"
        case .highDynamicRange: "HDR"
        case .dolbyVision: "Dolby Vision"
        case .video: "pictures"
        case .audio: "sound"
        case .audioTracks: "sound tracks"
        case .edges, .alpha, .frames, .channels, .subtitles: rawValue
        }
    }
}

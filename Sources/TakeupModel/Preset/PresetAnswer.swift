/// How one preset and an input get on.
package struct PresetAnswer: Sendable {
    package let preset: ExportPreset
    /// nil if the preset does not suit the input.
    package let plan: ExportPlan?
    package let failure: Failure?

    package init(_ preset: ExportPreset, plan: ExportPlan?, failure: Failure?) {
        (self.preset, self.plan, self.failure) = (preset, plan, failure)
    }

    package var json: JSONValue {
        let video = plan?.tracks.first { $0.type == .video }
        let size = plan?.expectedSize
        return [
            "name": .text(preset.name), "description": .text(preset.description),
            "compatible": .flag(failure == nil), "reason": .text(optional: failure?.message),
            "error": failure?.json ?? .null, "width": .whole(video?.width),
            "height": .whole(video?.height), "duration": .time(plan?.duration),
            "expectedBytes": size.map { .integer($0.bytes) } ?? .null,
            "expectedBytesAre": size.map { .text($0.word) } ?? .null,
            "tracks": .list((plan?.tracks ?? []).map(\.json)),
            "losses": .list((plan?.losses ?? []).map { .text($0.rawValue) }),
            "warnings": .list((plan?.warnings ?? []).map(\.json)),
        ]
    }
}

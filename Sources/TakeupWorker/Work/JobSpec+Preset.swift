internal import Foundation
public import TakeupModel
public import TakeupJobs

extension JobSpec {
    /// The preset as the job was given it.
    ///
    /// - Throws: `PresetError`, for what another version wrote.
    public func decodedPreset() throws(PresetError) -> ExportPreset {
        try ExportPreset.decode(Data(preset.content.utf8), from: preset.name)
    }
}

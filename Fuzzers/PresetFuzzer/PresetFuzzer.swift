internal import CFuzzer
internal import Foundation
internal import TakeupExport

/// Feeds any bytes to the decoder of preset files.
///
/// What decodes must be written and decoded again to the same preset.
@main
enum PresetFuzzer {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(
            LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
                PresetFuzzer.tryOut(Data(UnsafeBufferPointer(start: bytes, count: count)))
                return 0
            })
    }

    private static func tryOut(_ json: Data) {
        do throws(PresetError) {
            let preset = try ExportPreset.decode(json, from: "fuzz.json")
            guard let written = try? JSONEncoder().encode(preset) else {
                preconditionFailure("a preset cannot be written: \(preset)")
            }
            let again = try? ExportPreset.decode(written, from: "again.json")
            precondition(again == preset, "a preset changed by being written: \(preset)")
        } catch {
            precondition(!"\(error)".isEmpty, "an error says nothing")
        }
    }
}

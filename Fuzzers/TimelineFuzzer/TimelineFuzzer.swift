internal import CFuzzer
internal import Foundation
internal import TakeupIntake
internal import TakeupModel

/// Feeds any bytes to the readers of timelines; the first byte chooses the form.
///
/// What is read can be exported and is written and read again; what is not read has a fault that says something.
@main
enum TimelineFuzzer {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(
            LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
                TimelineFuzzer.tryOut([UInt8](UnsafeBufferPointer(start: bytes, count: count)))
                return 0
            })
    }

    private static func tryOut(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let isOwn = String(decoding: bytes.prefix(64), as: UTF8.self).contains("version")
        let form = first != UInt8(ascii: "{") ? "edl" : isOwn ? "takeup.json" : "otio"
        let name = "/cut/a.\(form)"
        do throws(BatchListError) {
            let read = try TimelineFile.read(bytes, name: name) { ["a.mov", "b.mp4"] }
            check(read.composition)
        } catch {
            guard case .invalid(_, let faults, _) = error, !faults.isEmpty else {
                preconditionFailure("a timeline was refused without a fault: \(error)")
            }
            precondition(faults.allSatisfy { !$0.reason.isEmpty }, "a fault says nothing")
        }
    }

    private static func check(_ composition: Composition) {
        precondition(composition.fault == nil, "a fault was not seen")
        precondition(
            composition.sources.allSatisfy {
                $0.hasPrefix("/") || $0.lowercased().hasPrefix("http")
            },
            "a source is relative")
        guard let text = try? TimelineFile.text(of: composition, at: "/cut/b.takeup.json") else {
            preconditionFailure("a timeline cannot be written")
        }
        let again = try? TimelineFile.read(Array(text.utf8), name: "/cut/b.takeup.json") { [] }
        precondition(again?.composition == composition, "a timeline is not what was written")
    }
}

internal import CFuzzer
internal import Foundation
internal import TakeupIntake
internal import TakeupJobs
internal import TakeupTimeline

/// Feeds any bytes to the readers of lists; the first byte chooses the format.
///
/// What is read has ids and outputs that differ; what is not read has a fault that says something.
@main
enum BatchListFuzzer {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(
            LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
                BatchListFuzzer.tryOut([UInt8](UnsafeBufferPointer(start: bytes, count: count)))
                return 0
            })
    }

    private static func tryOut(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let format: ListFormat =
            switch first {
            case UInt8(ascii: "["), UInt8(ascii: " "): .json
            case UInt8(ascii: "{"): bytes.contains(UInt8(ascii: "\n")) ? .jsonLines : .json
            default: .csv
            }
        var options = BatchOptions()
        options.outputFolder = "/out"
        do throws(BatchListError) {
            let list = try BatchList(
                parsing: bytes, as: format, name: "/lists/list", options: options)
            check(list.jobs)
        } catch {
            guard case .invalid(_, let faults, _) = error, !faults.isEmpty else {
                preconditionFailure("a list was refused without a fault: \(error)")
            }
            precondition(faults.allSatisfy { !$0.reason.isEmpty }, "a fault says nothing")
        }
    }

    private static func check(_ jobs: [JobSpec]) {
        precondition(Set(jobs.map(\.id)).count == jobs.count, "two jobs have one id")
        let outputs = jobs.filter { $0.overwrite != "unique" }.compactMap(\.output)
        precondition(Set(outputs).count == outputs.count, "two jobs have one output")
        for job in jobs {
            precondition(job.sources.allSatisfy { $0.hasPrefix("/") }, "a source is relative")
            precondition(job.output?.hasPrefix("/") ?? true, "an output is relative")
            precondition((-1000...1000).contains(job.priority), "a priority is out of range")
            precondition((0...100).contains(job.retries), "retries are out of range")
            precondition(job.duration.map { $0.time > .zero } ?? true, "a duration is not positive")
        }
    }
}

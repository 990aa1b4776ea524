internal import Dispatch
internal import Foundation
internal import TakeupExport
internal import TakeupLanes
internal import TakeupMediaClient
internal import TakeupModel
internal import TakeupProcess

/// A failure on request, by which tests see what becomes of a helper that fails.
///
/// Without the environment variable `TAKEUP_HELPER_FAULTS`, which a parent sets or not, there is none.
enum HelperFault: String {
    /// The key among a request's metadata whose value may ask for a fault.
    static let key = "comment"
    /// What stands before a fault there, and in the name of a source's file.
    private static let prefix = "takeup-fault:"

    case segmentationFault = "segfault"
    case hang
    case memory = "eat-memory"
    case processor = "eat-processor"
    case deafProcessor = "eat-processor-deaf"
    case probe
    case blockedThreads = "block-threads"

    init?(_ task: HelperRequest) {
        let comment = task.request.settings.metadata[Self.key]
        guard let fault = comment.flatMap(Self.init(asked:)) ?? Self(source: task.request.sources)
        else { return nil }
        self = fault
    }

    private init?(source names: [String]) {
        guard let name = names.first?.split(separator: "/").last else { return nil }
        self.init(asked: String(name))
    }

    /// - Parameter name: A probed source's or a comment, such as `takeup-fault:hang`.
    init?(asked name: String) {
        guard name.hasPrefix(Self.prefix),
            ProcessInfo.processInfo.environment[HelperCommand.faults] == "1"
        else { return nil }
        self.init(rawValue: String(name.dropFirst(Self.prefix.count)))
    }

    /// What asks for it.
    var text: String { Self.prefix + rawValue }

    /// - Parameters:
    ///   - order: During which it happens.
    ///   - output: The export's output, open; nil for none.
    ///   - outputName: The path of it.
    /// - Throws: What a fault that is a trial has found.
    func happen(
        _ order: HelperOrder, output: Int32? = nil, outputName: String = ""
    ) async throws(ExportError) {
        switch self {
        case .segmentationFault:
            HelperProcess.say("about to crash")
            UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
        case .hang: await Self.forever { sleep(1) }
        case .processor: await Self.forever {}
        case .deafProcessor:
            _ = signal(SIGXCPU, SIG_IGN)
            await Self.forever {}
        case .memory:
            await Self.forever {
                // The optimiser leaves out what is allocated and never read; a call of the system it does not.
                let flags = MAP_PRIVATE | MAP_ANONYMOUS | Int32(MAP_POPULATE)
                let bytes = mmap(nil, 16 << 20, PROT_READ | PROT_WRITE, flags, -1, 0)
                if bytes == MAP_FAILED { sleep(1) }
            }
        case .probe: throw Self.probe(output ?? -1, outputName)
        case .blockedThreads:
            _ = try? await Lane("takeup.fault").run {
                Self.blockThreads()
            }
            throw .process(
                Failure(
                    code: "blockedThreads", stage: "open", message: "no thread was missed",
                    hint: "", ending: Failure.Ending(.failed, .giveUp)))
        }
    }

    private static func forever(_ body: @escaping @Sendable () -> Void) async {
        _ = try? await Lane("takeup.fault").run { while true { body() } }
    }

    /// Keeps so many of Dispatch's threads waiting for so long that it looks at each.
    private static func blockThreads() {
        let group = DispatchGroup()
        for _ in 0..<64 { DispatchQueue.global().async(group: group) { sleep(1) } }
        group.wait()
    }

    /// Tries what a sealed process must not do; the message names what it could.
    private static func probe(_ output: Int32, _ outputName: String) -> ExportError {
        let done = SandboxTrial.escapes(path: outputName, file: output)
        return .process(
            Failure(
                code: "probe", stage: "open", message: done,
                hint: "none of these should be possible",
                ending: Failure.Ending(.failed, .giveUp)))
    }
}

import Foundation
import TakeupLanes
import TakeupModel

@main
struct Takeup {
    static func main() async {
        FreedMemory.shareHeaps()
        openMissingStreams()
        allowManyFiles()
        _ = Foundation.signal(SIGPIPE, SIG_IGN)
        let context = CommandContext.live()
        context.interrupts.listen()
        let words = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            CommandLine.unsafeArgv[index].map { word in
                UnsafeRawBufferPointer(start: word, count: strlen(word)).map(\.self)
            }
        }
        HiddenSecrets.hide(in: words)
        let code = await Program.run(words, in: context)
        await context.engine.stop()
        exit(isOutputWritten(context) || code != .success ? code.rawValue : lostOutput)
    }

    private static let lostOutput = ExitCode.inputOutput.rawValue

    /// Says so when the output that the user wanted could not be written.
    private static func isOutputWritten(_ context: CommandContext) -> Bool {
        guard let reason = StandardStream.output.lossReason else { return true }
        Console(context).error(
            Failure(
                exitCode: .inputOutput, code: "outputFailed", stage: "publish",
                message: "cannot write to standard output: \(reason)",
                hint: "check where it is sent to"))
        return false
    }

    /// Lets the process open as many files as the system lets it, up to 65,536: a job may join thousands of sources.
    private static func allowManyFiles() {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 65_536))
        setrlimit(resource, &limit)
    }

    /// Keeps the numbers of closed standard streams from being given to media files.
    private static func openMissingStreams() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", O_RDWR)
        }
    }
}

import Foundation

@main
struct Takeup {
    static func main() async {
        openMissingStreams()
        _ = Foundation.signal(SIGPIPE, SIG_IGN)
        let context = CommandContext.live()
        context.interrupts.listen()
        let code = await Program.run(Array(CommandLine.arguments.dropFirst()), in: context)
        exit(code.rawValue)
    }

    /// Keeps the numbers of closed standard streams from being given to media files.
    private static func openMissingStreams() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", O_RDWR)
        }
    }
}

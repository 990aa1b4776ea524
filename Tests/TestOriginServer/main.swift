import Foundation
import TestSupport

// The origin of the tests as a program, for scripts.
guard let options = ServerOptions(Array(CommandLine.arguments.dropFirst())) else {
    print(ServerOptions.usage)
    exit(64)
}
let log = options.log.flatMap { RequestLog(path: $0) }
guard log != nil || options.log == nil else {
    print("cannot open the log")
    exit(73)
}
// Blocked before the first thread begins, so that only `sigwait` sees them.
var signals = sigset_t()
sigemptyset(&signals)
sigaddset(&signals, SIGTERM)
sigaddset(&signals, SIGINT)
pthread_sigmask(SIG_BLOCK, &signals, nil)

let started: TestOrigin?
do {
    started = try TestOrigin(
        port: options.port, observer: { log?.append($0) }, fallback: options.object)
} catch {
    print("\(error)")
    started = nil
}
guard let origin = started else { exit(69) }
for path in options.changing.keys {
    if let first = options.version(1, of: path) { origin.serve(path, first) }
}
if !options.changing.isEmpty {
    Thread.detachNewThread {
        var number: UInt64 = 1
        while true {
            usleep(200_000)
            number += 1
            for path in options.changing.keys {
                if let next = options.version(number, of: path) { origin.replace(path, with: next) }
            }
        }
    }
}
print(origin.url(""))
fflush(nil)
var signal: Int32 = 0
sigwait(&signals, &signal)
let hasEnded = origin.stop()
for problem in origin.problems { FileHandle.standardError.write(Data("\(problem)\n".utf8)) }
exit(hasEnded ? 0 : 1)

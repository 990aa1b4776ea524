import TakeupModel

@testable import takeup

extension TestBench {
    /// Runs a command line on a queue or a cache of the test's own, an hour after its jobs were accepted.
    func run(
        _ line: String, queue: FakeQueue? = nil, cache: FakeCache? = nil
    ) async -> ExitCode {
        var context = context(environment: ["HOME": folder])
        context.wallClock = { 1_003_600 }
        if let queue { context.openQueue = { _ in queue.access } }
        if let cache { context.openCache = { _, _ in cache.access } }
        return await Program.run(line.split(separator: " ").map(String.init), in: context)
    }
}

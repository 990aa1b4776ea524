import Foundation
@testable import TakeupIngest
import TakeupModel
import TakeupLanes
import TakeupService
import Testing

@testable import takeup

@Suite("Watch rounds")
struct WatchSupervisorTests {
    private let queue: QueueBench
    private let context: CommandContext

    init() throws {
        queue = try QueueBench()
        context = queue.context(worker: nil)
        for name in ["a", "b", "c", "home"] {
            try FileManager.default.createDirectory(
                atPath: path(name), withIntermediateDirectories: true)
        }
    }

    private func path(_ name: String) -> String { "\(queue.bench.folder)/\(name)" }

    private func plan(_ folders: [String]) throws -> WatchPlan {
        let words = ["watch"] + folders.map(path) + ["--output", path("out")]
        let invocation = try ArgumentReader(words, table: CommandTable.root).read()
        let settings = try Settings(
            options: CommandTable.commonOptions + invocation.command.options,
            flags: invocation.options, environment: [:], configuration: nil)
        let input = CommandInput(
            path: ["watch"], arguments: folders.map(path), settings: settings,
            invocation: invocation)
        return try WatchPlan(input, in: context)
    }

    private func places() throws -> StatePlaces {
        try StatePlaces(
            .init(home: path("home"), cache: path("cache"), database: nil), environment: [:],
            absolute: { $0 })
    }

    private func isFree(_ name: String) -> Bool {
        do {
            _ = try WatchLock(path(name), home: path("home"), acts: false)
            return true
        } catch {
            return false
        }
    }

    @Test("one daemon alone acts on the files of a folder, whatever database and home each has")
    func acting() throws {
        let folder = path("acted")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let link = path("link")
        symlink(folder, link)
        do {
            let first = try WatchLock(folder, home: path("home"), acts: true)
            for name in [folder, link] {
                let error = #expect(throws: Failure.self) {
                    try WatchLock(name, home: self.path("."), acts: true)
                }
                #expect(error?.exitCode == .temporary)
            }
            // Who only reads the files is in nobody's way.
            _ = try WatchLock(folder, home: path("."), acts: false)
            withExtendedLifetime(first) {}
        }
        _ = try WatchLock(folder, home: path("."), acts: true)
    }

    @Test("a folder that goes is another daemon's only once its round has stopped")
    func locks() throws {
        let rounds = try WatchSupervisor(plan(["a", "b"]), home: places().home)
        let first = try #require(rounds.next())
        #expect(!isFree("a") && !isFree("b") && isFree("c"))
        try rounds.change(to: plan(["a", "c"]))
        #expect(first.stop.isCancelled)
        #expect(!isFree("a") && !isFree("b") && !isFree("c"))
        // Another change before the next round begins, one of whose folders comes back.
        try rounds.change(to: plan(["b", "c"]))
        #expect(!isFree("a") && !isFree("b") && !isFree("c"))
        let second = try #require(rounds.next())
        #expect(second.plan.requests.map(\.folder) == [path("b"), path("c")])
        #expect(isFree("a") && !isFree("b") && !isFree("c"))
        #expect(rounds.next() == nil)
    }
}

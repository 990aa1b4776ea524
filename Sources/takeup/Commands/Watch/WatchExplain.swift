import TakeupIngest
import TakeupMediaClient
import TakeupModel
import TakeupService
import TakeupWatch

/// Prints why a file was taken or not, and what became of it.
struct WatchExplain {
    let input: CommandInput
    let places: StatePlaces
    let style: OutputStyle

    /// - Throws: As `ExplainedFile` and `WatchPlan` do.
    func tell(_ path: String, in context: CommandContext) throws(Failure) -> ExitCode {
        let name = context.absolute(path)
        do {
            let ledger =
                places.hasLocalDatabase ? try places.openLedger(now: context.wallClock) : nil
            let asked = try ExplainedFile(name, input, ledger, in: context)
            var helper = HelperConfiguration()
            helper.requiresSandbox = input.isOn(SandboxDemand.option)
            let explanation = WatchExplanation(
                ledger, (try? places.hasQueue()) == true ? try? context.openQueue(places) : nil,
                clock: context.watchClock,
                trash: Trash(besides: places.home, context.environment, now: context.wallClock),
                helper: helper, shared: places.named)
            say(name, try explanation.points(asked), in: context)
            return .success
        } catch {
            throw Failure(of: error)
        }
    }

    private func say(_ path: String, _ points: [ExplanationPoint], in context: CommandContext) {
        if style.isJSON {
            let list = points.map { point -> JSONValue in
                [
                    "question": .text(point.question), "answer": .text(point.answer),
                    "obstacle": .flag(point.isObstacle),
                ]
            }
            return context.print(
                ["type": "explanation", "path": .text(path), "points": .list(list)])
        }
        context.print(path.escaped)
        let rows = points.map { [$0.question, $0.answer.escaped] }
        TextTable.lines(rows, indent: "  ").forEach(context.print)
    }
}

extension CommandContext {
    var watchClock: WatchClock { WatchClock(forward: now, wall: wallClock) }
}

extension StatePlaces {
    /// The folders that no source is taken from, for people.
    var named: [(path: String, name: String)] {
        [(home, "the folder of the database"), (cache, "the cache")]
    }
}

internal import Foundation
internal import TakeupCurl
package import TakeupLanes
internal import TakeupModel
package import TakeupTelemetry
package import TakeupWatch

/// Tells hooks what waits for them in the ledger, each on a lane of its own: one that hangs delays nobody else.
package final class OutboxDelivery: Sendable {
    /// Between two looks at what was never tried.
    private static let settleMicroseconds: UInt32 = 50_000

    private let hooks: [Hook]
    private let folders: [String]
    private let ledger: WatchLedger
    private let environment: [String: String]
    private let log: Log
    private let bells: [WakeSignal]

    /// - Parameters:
    ///   - hooks: Every hook that is set.
    ///   - folders: Those that this process watches; what happened in others is left to other daemons.
    ///   - ledger: Where events wait.
    ///   - environment: What commands find in theirs, besides the event.
    ///   - log: Where it is told how that goes.
    package init(
        _ hooks: [Hook], of folders: [String], in ledger: WatchLedger,
        environment: [String: String], log: Log
    ) {
        (self.hooks, self.folders, self.ledger) = (hooks, folders, ledger)
        (self.environment, self.log) = (environment, log)
        bells = hooks.map { _ in WakeSignal() }
    }

    /// Has what was recorded delivered at once, from any thread.
    package func wake() {
        for bell in bells { bell.ring() }
    }

    /// Delivers until told to stop, then ends within some seconds; what is left waits for the next time.
    package func run(until stop: Cancellation) async {
        stop.onCancel { [self] in wake() }
        await withTaskGroup { group in
            group.addTask { [self] in await onLane { self.dropOrphans() } }
            for (hook, bell) in zip(hooks, bells) {
                group.addTask { [self] in
                    await onLane { self.follow(hook, bell, until: stop) }
                }
            }
        }
    }

    /// Waits until every event was tried once, or the time is over.
    package func settle(withinSeconds seconds: Double) async {
        await onLane { [self] in
            let end = ContinuousClock.now + .seconds(seconds)
            while ContinuousClock.now < end {
                // A ledger that cannot be read now says nothing about what is left.
                if let left = try? ledger.untriedMessages(to: hooks, of: folders), left == 0 {
                    return
                }
                usleep(Self.settleMicroseconds)
            }
        }
    }

    private func onLane(_ body: @escaping @Sendable () -> Void) async {
        do {
            try await Lane("takeup.hook").run { body() }
        } catch {
            log.record(.error, "hooks: \(error)")
        }
    }

    private func dropOrphans() {
        do throws(WatchError) {
            let dropped = try ledger.dropMessages(toOthersThan: hooks, of: folders)
            guard dropped > 0 else { return }
            log.record(
                .warning, "\(dropped) events for hooks that are no longer set were dropped")
        } catch {
            log.record(.error, "hooks: \(Failure(error).message)")
        }
    }

    private func follow(_ hook: Hook, _ bell: WakeSignal, until stop: Cancellation) {
        let talk = HookLog(log, hook)
        let duties = OutboxDispatcher.Duties(
            deliver: deliverer(hook, until: stop),
            random: { Double.random(in: 0..<1) },
            tell: { talk.tell($0) })
        let line = OutboxDispatcher(hook, of: folders, in: ledger, duties: duties)
        while !stop.isCancelled {
            let seconds = line.step()
            if seconds > 0, !stop.isCancelled { bell.wait(seconds: seconds) }
        }
    }

    private func deliverer(
        _ hook: Hook, until stop: Cancellation
    ) -> (HookMessage) -> HookAnswer {
        switch hook.target {
        case .command(let words):
            let command = CommandHook(
                words, timeoutSeconds: hook.timeoutSeconds, environment: environment)
            return { command.deliver($0, until: stop) }
        case .web(let url, let secretFile):
            let cancellation = TransferCancellation()
            stop.onCancel { cancellation.cancel() }
            do throws(CurlError) {
                let now = ledger.now
                let web = try WebHook(
                    url, secretFile: secretFile, timeoutSeconds: hook.timeoutSeconds, now: now)
                return { web.deliver($0, until: cancellation) }
            } catch {
                let reason = error.reason
                return { _ in .failed(reason) }
            }
        }
    }
}

import TakeupModel
import TakeupJobs

/// Runs one session: shows how far it is, and stops it when a signal asks for that.
struct ExportRun: Sendable {
    let session: any RunningSession
    let inputs: RemoteInputs
    let output: String
    let style: OutputStyle

    func perform(
        in context: CommandContext, events: ExportEvents
    ) async throws(Failure) -> ExportReport {
        let printer = ProgressPrinter(context)
        stopOnSignal(printer, in: context)
        let watching = watch(printer, events)
        let result: Result<ExportReport, ExportError>
        do {
            result = .success(
                try await session.export(to: output) { [style, output] plan in
                    guard style.isVerbose else { return }
                    printer.write(PlanText.lines(plan, output: output))
                })
        } catch {
            result = .failure(error)
        }
        await Self.end(watching)
        printer.close()
        return try report(result, signal: context.interrupts.signal)
    }

    /// Shows every progress from now on until the session ends.
    private func watch(_ printer: ProgressPrinter, _ events: ExportEvents) -> Task<Void, Never> {
        let states = session.states(updateInterval: .milliseconds(200))
        return Task { [style] in
            for await state in states {
                guard case .exporting(let progress) = state else { continue }
                let shown = events.steady(JobProgress(progress))
                if style.isJSON { events.progress(shown) }
                if !style.isQuiet { printer.show(shown) }
            }
        }
    }

    /// Lets the last states through, but waits for no stream that fails to end.
    private static func end(_ watching: Task<Void, Never>) async {
        let patience = Task {
            do { try await Task.sleep(for: .seconds(1)) } catch { return }
            watching.cancel()
        }
        await watching.value
        patience.cancel()
    }

    private func report(
        _ result: Result<ExportReport, ExportError>, signal: Int32?
    ) throws(Failure) -> ExportReport {
        switch result {
        case .success(let report): return report
        case .failure(let error):
            throw inputs.failure(signal == nil ? error : .cancelled, signal: signal)
        }
    }

    private func stopOnSignal(_ printer: ProgressPrinter, in context: CommandContext) {
        let talk = Console(context, color: style.color)
        let hurry = context.hurry
        context.interrupts.setStop { [session, inputs] signal in
            session.cancel()
            inputs.cancel()
            hurry()
            printer.close()
            talk.note(
                signal == 15
                    ? "stopping (SIGTERM)" : "stopping; press Ctrl-C again to quit at once")
        }
        if context.interrupts.signal != nil {
            session.cancel()
            inputs.cancel()
        }
    }
}

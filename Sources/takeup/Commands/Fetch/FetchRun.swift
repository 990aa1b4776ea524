import TakeupExport
import TakeupFetch
import TakeupIntake
import TakeupJobs
import TakeupLanes
import TakeupWorker

/// Fetches one address whole, shows how far it is, and says what came of it.
struct FetchRun: Sendable {
    let address: AddressArgument
    /// 64 hexadecimal digits that the content has to have.
    let checksum: String?
    let library: SourceLibrary
    let limits: SourceLimits
    let style: OutputStyle

    /// As the disk itself says it (EIO).
    private static let brokenBlock: Int32 = 5

    /// What was fetched.
    private struct Report: Sendable {
        let bytes: Int64
        /// Bytes that came from the origin, not from the disk.
        let originBytes: Int64
        /// nil when nobody is told.
        let sha256: String?
    }

    /// Hashing takes about as long as bytes take from near by.
    private var isHashed: Bool { checksum != nil || style.isJSON || !style.isQuiet }

    func perform(in context: CommandContext) async throws(Failure) {
        let start = context.now()
        if style.isJSON {
            write("started", ["source": .text(address.shown), "preset": .null], context)
        }
        do throws(Failure) {
            let report = try await fetch(in: context)
            tell(report, seconds: context.now() - start, in: context)
        } catch {
            if style.isJSON {
                let isCancelled = error.code == "cancelled"
                finish(
                    isCancelled ? "cancelled" : "failed", nil, context.now() - start, error.json,
                    context)
            }
            throw error
        }
    }

    private func fetch(in context: CommandContext) async throws(Failure) -> Report {
        let printer = ProgressPrinter(context)
        defer { printer.close() }
        let interrupts = context.interrupts
        let start = context.now()
        do {
            return try await Lane("takeup.fetch").run { [self] in
                let loader = try library.loader(for: address.text)
                if isHashed { loader.hashAsItComes() }
                try requireRoom(loader) { interrupts.signal != nil }
                try loader.waitUntilComplete(
                    isStopped: { interrupts.signal != nil },
                    onProgress: { show($0, printer, seconds: context.now() - start, context) })
                return try report(loader) { interrupts.signal != nil }
            }
        } catch let error as Failure {
            throw error
        } catch let error as FetchError {
            throw Failure(FailureReport(error, signal: interrupts.signal))
        } catch {
            throw .unexpected(error)
        }
    }

    private func requireRoom(
        _ loader: ResourceLoader, isStopped: () -> Bool
    ) throws(FetchError) {
        guard let length = try loader.information(isStopped: isStopped).length else { return }
        try library.store.requireRoom(
            for: length - loader.status.presentBytes, limits, address: loader.address)
    }

    private func report(
        _ loader: ResourceLoader, isStopped: () -> Bool
    ) throws -> Report {
        let fetched = loader.status
        // What was here before is compared with its checksums in any case.
        guard isHashed || fetched.originBytes < fetched.presentBytes else {
            return Report(
                bytes: fetched.presentBytes, originBytes: fetched.originBytes, sha256: nil)
        }
        guard let digest = try loader.sha256(isStopped: isStopped) else {
            // A block that turned out to be wrong is fetched anew the next time.
            throw isStopped()
                ? FetchError.cancelled : .storage(path: loader.address, errno: Self.brokenBlock)
        }
        let status = loader.status
        guard checksum == nil || checksum == digest else {
            loader.close()
            _ = try library.store.remove(loader.key)
            throw Failure.wrongContent(address, digest)
        }
        return Report(
            bytes: status.presentBytes, originBytes: status.originBytes, sha256: digest)
    }

    private func show(
        _ status: LoaderStatus, _ printer: ProgressPrinter, seconds: Double,
        _ context: CommandContext
    ) {
        var progress = JobProgress(phase: "fetch", fraction: 0)
        if let total = status.totalBytes, total > 0 {
            progress.fraction = min(1, Double(status.presentBytes) / Double(total))
            if status.originBytes > 0, seconds > 0 {
                let rate = Double(status.originBytes) / seconds
                progress.etaSeconds = Double(total - status.presentBytes) / rate
            }
        }
        if style.isJSON {
            write(
                "progress",
                [
                    "phase": .text(progress.phase), "fraction": .measured(progress.fraction),
                    "speed": .null, "eta": .measured(progress.etaSeconds),
                ], context)
        }
        if !style.isQuiet { printer.show(progress) }
    }

    private func tell(_ report: Report, seconds: Double, in context: CommandContext) {
        guard !style.isJSON else {
            return finish(
                report.originBytes == 0 ? "cached" : "succeeded", report, seconds, .null, context)
        }
        guard !style.isQuiet else { return }
        let fetched =
            report.originBytes == 0
            ? "was here already"
            : "\(ByteSize(bytes: report.originBytes)) fetched in \(ClockText.coarse(seconds))"
        context.print(
            "\(address.shown.escaped): \(ByteSize(bytes: report.bytes)), \(fetched),"
                + " sha256 \(report.sha256 ?? "")")
    }

    private func finish(
        _ status: String, _ report: Report?, _ seconds: Double, _ error: JSONValue,
        _ context: CommandContext
    ) {
        write(
            "finished",
            [
                "source": .text(address.shown), "status": .text(status), "output": .null,
                "bytes": report.map { .integer($0.bytes) } ?? .null, "duration": .null,
                "frames": .null, "sha256": .text(optional: report?.sha256),
                "seconds": .measured(seconds), "warnings": [], "error": error,
                "originBytes": report.map { .integer($0.originBytes) } ?? .null,
            ], context)
    }

    private func write(_ type: String, _ members: JSONValue, _ context: CommandContext) {
        let key = (try? SourceKey(address: address.text))?.description ?? ""
        let job = JSONValue.text(String(key.prefix(CacheEntry.keyDigits)))
        context.print(members.prefixed("job", job).prefixed("type", .text(type)))
    }
}

extension Failure {
    fileprivate static func wrongContent(_ address: AddressArgument, _ digest: String) -> Failure {
        Failure(
            exitCode: .verificationFailed, code: "checksumMismatch", stage: "fetch",
            message: "\(address.shown) is not what it should be: its SHA-256 is \(digest)",
            hint: "it was dropped again; check the checksum and the address")
    }
}

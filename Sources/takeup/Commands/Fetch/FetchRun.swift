import TakeupDigest
import TakeupModel
import TakeupFetch
import TakeupIntake
import TakeupJobs
import TakeupLanes
import TakeupService
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
        /// nil when nobody is told, and there is nothing to compare.
        let content: HashedContent?
        /// Whether nothing says that these are all bytes.
        let isOpenEnded: Bool
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
                defer { loader.close() }
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
            throw Failure(error, signal: interrupts.signal)
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
        let information = try loader.information(isStopped: isStopped)
        let isOpenEnded = information.isOpenEnded && checksum == nil
        // What was here before is compared with its checksums in any case.
        guard
            isHashed || fetched.originBytes < fetched.presentBytes
                || !loader.statedDigests.isEmpty
        else {
            return Report(
                bytes: fetched.presentBytes, originBytes: fetched.originBytes, content: nil,
                isOpenEnded: isOpenEnded)
        }
        let content = try hashed(loader, isStopped: isStopped)
        let status = loader.status
        guard checksum == nil || checksum == content.sha256 else {
            try drop(loader)
            throw Failure.wrongContent(address, content.sha256)
        }
        return Report(
            bytes: status.presentBytes, originBytes: status.originBytes, content: content,
            isOpenEnded: isOpenEnded && content.confirmed.isEmpty)
    }

    private func hashed(
        _ loader: ResourceLoader, isStopped: () -> Bool
    ) throws(FetchError) -> HashedContent {
        do throws(FetchError) {
            let content = try loader.hashed(expecting: checksum, isStopped: isStopped)
            if let content { return content }
        } catch {
            if case .checksumMismatch = error { try drop(loader) }
            throw error
        }
        // A block that turned out to be wrong is fetched anew the next time.
        throw isStopped() ? .cancelled : .storage(path: loader.address, errno: Self.brokenBlock)
    }

    private func drop(_ loader: ResourceLoader) throws(FetchError) {
        loader.close()
        try loader.remove()
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
        for warning in warnings(report) { Console(context, style).warning(warning.message) }
        guard !style.isQuiet else { return }
        let confirmed = report.content?.confirmed.map(\.description) ?? []
        let fetched =
            report.originBytes == 0
            ? "was here already"
            : "\(ByteSize(bytes: report.originBytes)) fetched in \(ClockText.coarse(seconds))"
        context.print(
            "\(address.shown.escaped): \(ByteSize(bytes: report.bytes)), \(fetched),"
                + " sha256 \(report.content?.sha256 ?? "")"
                + (confirmed.isEmpty ? "" : ", as \(confirmed.joined(separator: " and ")) says"))
    }

    private func warnings(_ report: Report?) -> [ExportWarning] {
        guard let report else { return [] }
        let refuted = (report.content?.refuted ?? []).map { stated in
            ExportWarning(
                code: "statedChecksumWrong",
                message: "\(address.shown) has the SHA-256 that was given, but its server states"
                    + " another checksum: \(stated) is \(stated.digits)")
        }
        guard report.isOpenEnded else { return refuted }
        return refuted + [.lengthNotStated(address.shown, bytes: report.bytes)]
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
                "frames": .null, "sha256": .text(optional: report?.content?.sha256),
                "seconds": .measured(seconds),
                "warnings": .list(warnings(report).map(\.json)), "error": error,
                "originBytes": report.map { .integer($0.originBytes) } ?? .null,
                "confirmed": .list(report?.content?.confirmed.map(\.json) ?? []),
            ], context)
    }

    private func write(_ type: String, _ members: JSONValue, _ context: CommandContext) {
        let key = SourceKey(address: address.text).description
        let job = JSONValue.text(String(key.prefix(CacheEntry.keyDigits)))
        context.print(members.prefixed("job", job).prefixed("type", .text(type)))
    }
}

extension StatedDigest {
    fileprivate var json: JSONValue {
        ["field": .text(field), "algorithm": .text(algorithm.rawValue)]
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

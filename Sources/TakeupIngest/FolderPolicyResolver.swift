internal import Foundation
internal import TakeupFiles
internal import TakeupIntake
package import TakeupWatch

/// Which policy the files of a watched folder get, by the settings files between it and them.
///
/// Confined to one lane.
package final class FolderPolicyResolver {
    private struct Page {
        /// Identity of the settings file; nil if the folder has none.
        let identity: FileIdentity?
        let version: Int
        /// Version of the parent folder's page.
        let outerVersion: Int?
        /// When it was looked whether it is still so, by the forward clock.
        var checkedAt: Double
        let policy: Result<FolderPolicy, WatchError>
        /// The fault of this folder's own settings file, not of a parent's.
        var fault: Fault?

        /// What could not be read may be readable now.
        var isFailure: Bool {
            if case .failure = policy { true } else { false }
        }
    }

    /// What is wrong with a settings file as it is now.
    private struct Fault: Equatable {
        let identity: FileIdentity?
        let error: WatchError
    }

    private struct WorkKey: Hashable {
        let folder: ExactPath
        let rule: Int?
    }

    /// Between two looks whether a settings file is still the same, in seconds.
    private static let checkSeconds = 1.0

    private let request: WatchRequest
    private let clock: @Sendable () -> Double
    /// By folder, from the watched one on; that one is empty.
    private var pages: [ExactPath: Page] = [:]
    private var works: [WorkKey: String] = [:]
    /// What was said of settings files, by folder.
    private var told: [ExactPath: Fault] = [:]
    private var hasChanged = false
    /// Version of the latest page.
    private var version = 0

    /// - Parameters:
    ///   - request: The watched folder.
    ///   - clock: Seconds of a clock that only goes forward.
    package init(_ request: WatchRequest, clock: @escaping @Sendable () -> Double) {
        (self.request, self.clock) = (request, clock)
    }

    /// Forgets what settings files said that are others by now.
    ///
    /// - Returns: Whether there were any since the last call.
    package func refresh() -> Bool {
        defer { hasChanged = false }
        let isOld =
            hasChanged
            || pages.contains { folder, page in
                page.isFailure || identity(path(in: folder.text)) != page.identity
            }
        if isOld { (pages, works) = ([:], [:]) }
        told = told.filter { folder, _ in isThere(path(in: folder.text)) }
        return isOld
    }

    private func isThere(_ path: String) -> Bool {
        let place = AnchoredPath.open(path, below: request.folder, AnchoredPath.placeOnly)
        guard place >= 0 else { return false }
        close(place)
        return true
    }

    /// Whether a settings file that was looked at since the last `refresh` cannot be used.
    package var hasFaults: Bool { pages.values.contains { $0.fault != nil } }

    /// Looks at a folder's settings file, whether or not there is a file for it.
    ///
    /// - Returns: What is wrong with it, once until it changes.
    package func newFault(in folder: String) -> WatchError? {
        // Most folders have none, and no page is kept of them for that.
        guard pages[ExactPath(folder)] != nil || isThere(path(in: folder)) else { return nil }
        let fault = page(of: folder).fault
        guard fault != told[ExactPath(folder)] else { return nil }
        told[ExactPath(folder)] = fault
        return fault?.error
    }

    /// What is made of a file.
    ///
    /// - Parameters:
    ///   - path: From the watched folder on.
    ///   - bytes: Its size.
    ///   - known: What was found in it.
    /// - Returns: What the innermost settings and the first rule that holds say.
    /// - Throws: `WatchError` when a settings file above it cannot be used: then nothing is made of it now.
    package func choice(
        for path: String, bytes: Int64, _ known: FileFacts?
    ) throws(WatchError) -> FileDecision {
        var facts = known ?? FileFacts(path: path)
        (facts.path, facts.bytes) = (path, bytes)
        return try FileDecision(policy(for: path), facts)
    }

    /// What is to be made of a file, as the watcher asks for it.
    package func wish(
        for path: String, bytes: Int64, _ known: FileFacts?
    ) throws(WatchError) -> WatchDelegate.Wish {
        let choice = try choice(for: path, bytes: bytes, known)
        if let reason = choice.skip { return .skip(reason) }
        return .work(try work(choice, for: path))
    }

    /// The key of what is made of a file.
    package func work(_ choice: FileDecision, for path: String) throws(WatchError) -> String {
        let key = WorkKey(folder: ExactPath(Self.folder(of: path)), rule: choice.decision.rule)
        if let work = works[key] { return work }
        do {
            let work = try choice.work(output: request.output)
            works[key] = work
            return work
        } catch {
            throw .unreadable(setting: "output name", reason: "\(error)")
        }
    }

    package func policy(for path: String) throws(WatchError) -> FolderPolicy {
        try page(of: Self.folder(of: path)).policy.get()
    }

    private func page(of folder: String) -> Page {
        let (before, now) = (pages[ExactPath(folder)], clock())
        // A scan asks for a hundred thousand files.
        if let before, now - before.checkedAt < Self.checkSeconds { return before }
        let outer = folder.isEmpty ? nil : page(of: Self.folder(of: folder))
        let path = path(in: folder)
        let identity = identity(path)
        if let before, !before.isFailure, before.identity == identity,
            before.outerVersion == outer?.version
        {
            pages[ExactPath(folder)]?.checkedAt = now
            return before
        }
        if let before, before.identity != identity { (hasChanged, works) = (true, [:]) }
        version += 1
        var fault: Fault?
        let policy = (outer?.policy ?? .success(request.policy)).flatMap { outer in
            let policy = read(path, inside: outer)
            if case .failure(let error) = policy {
                fault = Fault(identity: identity, error: error)
            }
            return policy
        }
        let page = Page(
            identity: identity, version: version, outerVersion: outer?.version, checkedAt: now,
            policy: policy, fault: fault)
        pages[ExactPath(folder)] = page
        return page
    }

    private func read(
        _ path: String, inside outer: FolderPolicy
    ) -> Result<FolderPolicy, WatchError> {
        Result { () throws(WatchError) in
            try outer.inner(path, request.folder) ?? outer
        }
    }

    private func path(in folder: String) -> String {
        "\(folder.isEmpty ? "" : "\(folder)/")\(WatchRequest.settingsName)"
    }

    private func identity(_ path: String) -> FileIdentity? {
        ((try? FileMark.of(path, below: request.folder)) ?? nil)?.identity
    }

    private static func folder(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
    }
}

import TakeupModel
import TakeupFetch
import TakeupJobs
import TakeupLanes
import TakeupWorker

/// The sources of a command that are addresses, open: fetched while they are read.
struct RemoteInputs: Sendable {
    private let sources: [String: LoaderSource]
    /// nil without any.
    private let library: SourceLibrary?

    /// Finds out what is at each address among some inputs; opens nothing when there is none.
    ///
    /// - Parameters:
    ///   - inputs: Paths and addresses.
    ///   - network: From where they may be fetched.
    ///   - isWhole: Whether each is fetched whole first.
    ///   - preset: Whose pictures those of playlists with several sizes have to fill; nil takes the largest.
    ///   - context: Its interrupts end the wait.
    ///   - onProgress: Called at the beginning, and a few times a second while one is fetched whole.
    /// - Throws: Why one cannot be fetched.
    init(
        _ inputs: [String], _ network: NetworkOptions, isWhole: Bool = false,
        for preset: ExportPreset? = nil, in context: CommandContext,
        onProgress: @escaping @Sendable () -> Void = {}
    ) async throws(Failure) {
        let addresses = inputs.filter(SourceText.isAddress)
        let limit = preset.map { PictureLimit($0) } ?? PictureLimit()
        guard !addresses.isEmpty else {
            (self.sources, self.library) = ([:], nil)
            return
        }
        let library = try network.library(in: context)
        do throws(Failure) {
            let wanted = addresses.map { WantedSource($0, within: limit) }
            sources = try await Self.open(
                wanted, isWhole: isWhole, library, network, context, onProgress)
        } catch {
            library.close()
            throw error
        }
        self.library = library
    }

    private static func open(
        _ wanted: [WantedSource], isWhole: Bool, _ library: SourceLibrary,
        _ network: NetworkOptions, _ context: CommandContext,
        _ onProgress: @escaping @Sendable () -> Void
    ) async throws(Failure) -> [String: LoaderSource] {
        let interrupts = context.interrupts
        let limits = SourceLimits(network.limits)
        do {
            return try await Lane("takeup.fetch").run {
                onProgress()
                var sources: [String: LoaderSource] = [:]
                for want in wanted where sources[want.address] == nil {
                    let source = try LoaderSource(
                        want.address, from: library, wholeWithin: isWhole ? limits : nil,
                        within: want.pictureLimit,
                        isStopped: { interrupts.signal != nil }, onProgress: { _ in onProgress() })
                    let hasRoom = library.store.hasRoom(
                        for: source.missingBytes, limits, address: source.name)
                    try source.begin(isStopped: { interrupts.signal != nil })
                    // An export needs the bytes once, and no room for all of them; somebody has to read them by then.
                    if !hasRoom { source.keepNothing() }
                    sources[want.address] = source
                }
                return sources
            }
        } catch let error as FetchError {
            throw Failure(error, signal: interrupts.signal)
        } catch {
            throw .unexpected(error)
        }
    }

    /// Warnings about how the sources were fetched.
    var warnings: [ExportWarning] {
        sources.values.sorted { $0.name < $1.name }.flatMap(\.warnings)
    }

    /// What an input is read from: a path that is ready to be opened, or an address.
    func source(_ input: String) -> MediaSource {
        sources[input].map { .remote($0) } ?? .file(input)
    }

    func byteCount(of input: String) -> Int64? { sources[input]?.byteCount }

    /// Ends what is fetched, and has it logged; called once nothing reads any more.
    func close() { library?.close() }

    /// Ends every read at once.
    func cancel() {
        for source in sources.values { source.cancel() }
    }

    /// Runs `body` once a read of any of them fails.
    func onFailure(_ body: @escaping @Sendable () -> Void) {
        for source in sources.values { source.onFailure(body) }
    }

    /// Why an export ended: because a source could not be fetched, or else what the export says itself.
    func failure(_ error: ExportError, signal: Int32?) -> Failure {
        if signal == nil, let cause = sources.values.lazy.compactMap(\.failure).first {
            return Failure(cause)
        }
        let failure = Failure(error, signal: signal)
        if failure.blamesSources {
            for source in sources.values { source.distrust() }
        }
        return failure
    }
}

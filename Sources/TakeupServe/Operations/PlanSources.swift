internal import TakeupFetch
internal import TakeupJobs
internal import TakeupModel
internal import TakeupWorker

/// A job's sources, open to be looked into: files without a link, addresses through the source store.
struct PlanSources: Sendable {
    let all: [MediaSource]

    /// - Parameters:
    ///   - spec: Names them.
    ///   - library: Fetches addresses.
    ///   - isAbandoned: Polled; ends the wait.
    /// - Throws: Why one cannot be fetched.
    init(
        _ spec: JobSpec, from library: SourceLibrary,
        isAbandoned: @escaping @Sendable () -> Bool
    ) throws(Failure) {
        var opened: [MediaSource] = []
        var known: [String: MediaSource] = [:]
        let limit = PictureLimit(spec.request.preset)
        do throws(FetchError) {
            for source in spec.request.sources {
                guard SourceText.isAddress(source) else {
                    opened.append(.unlinkedFile(source))
                    continue
                }
                if let known = known[source] {
                    opened.append(known)
                    continue
                }
                let remote = try LoaderSource(
                    source, from: library, within: limit, isStopped: isAbandoned)
                try remote.begin(isStopped: isAbandoned)
                known[source] = .remote(remote)
                opened.append(.remote(remote))
            }
        } catch {
            throw Failure(error)
        }
        all = opened
    }

    private var remotes: [LoaderSource] {
        all.compactMap { if case .remote(let source) = $0 { source } else { nil } }
    }

    /// Why a source could not be fetched to where it was read.
    var failure: Failure? { remotes.lazy.compactMap(\.failure).first.map { Failure($0) } }

    func onFailure(_ body: @escaping @Sendable () -> Void) {
        for source in remotes { source.onFailure(body) }
    }
}

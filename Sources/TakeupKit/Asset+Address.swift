public import TakeupExport
public import TakeupFetch
internal import TakeupLanes
internal import TakeupWorker

extension Asset {
    /// Opens an address, which is fetched while the asset is read, in this process.
    ///
    /// Waits until the origin has answered, or until all of a source without a known length is here. Cancelling the task ends the wait.
    ///
    /// - Parameters:
    ///   - url: http or https.
    ///   - library: Fetches it, and keeps what was fetched. It has to live as long as the asset is read.
    /// - Throws: `FetchError`: why the address cannot be read; `.cancelled` with the task.
    public convenience init(url: String, library: SourceLibrary) async throws {
        let cancellation = Cancellation()
        let source = try await withTaskCancellationHandler {
            try await Lane("takeup.open").run {
                try LoaderSource(url, from: library, isStopped: { cancellation.isCancelled })
            }
        } onCancel: {
            cancellation.cancel()
        }
        self.init(source: source)
    }
}

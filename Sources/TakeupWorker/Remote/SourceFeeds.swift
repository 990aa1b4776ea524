/// What a helper gets of a job's sources, in order, what feeds those that are still being fetched, and what opens
/// those that come late.
struct SourceFeeds {
    let descriptors: [Int32]
    let feeds: [SourceFeed]
    let desk: SourceDesk?

    /// Whether the helper waits for bytes of any of them.
    var isWaiting: Bool { feeds.contains(where: \.isWaiting) }

    func stop() {
        for feed in feeds { feed.stop() }
        desk?.stop()
    }
}

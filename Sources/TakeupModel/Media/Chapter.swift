public import TakeupTimeline

/// A named span of an asset.
public struct Chapter: Sendable, Equatable, Codable {
    public var start: MediaTime
    public var end: MediaTime
    public var title: String

    package init(start: MediaTime, end: MediaTime, title: String) {
        self.start = start
        self.end = end
        self.title = title
    }
}

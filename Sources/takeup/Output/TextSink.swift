/// Where text for a user or a script goes.
protocol TextSink: Sendable {
    func write(_ text: String)
}

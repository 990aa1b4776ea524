/// Something that is costly to find out: asked for anew only so often that it takes a hundredth of the time.
struct Throttled<Value: Sendable>: Sendable {
    private static var share: Double { 100 }

    private(set) var value: Value?
    private var dueAt = -Double.infinity

    init() {}

    /// - Parameters:
    ///   - clock: Seconds of a clock that never goes back.
    ///   - find: Finds it out; nil leaves what was known.
    mutating func refresh(clock: () -> Double, _ find: () -> Value?) {
        let began = clock()
        guard began >= dueAt else { return }
        value = find() ?? value
        let ended = clock()
        dueAt = ended + Self.share * (ended - began)
    }
}

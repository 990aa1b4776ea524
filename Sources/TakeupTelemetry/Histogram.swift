/// Counts values by how large they are.
public struct Histogram: Sendable, Equatable {
    private let bounds: [Double]
    private var counts: [Int]
    public private(set) var sum = 0.0

    /// - Parameter bounds: The largest value of each bucket, in ascending order; one without a bound follows.
    public init(_ bounds: [Double]) {
        self.bounds = bounds
        counts = [Int](repeating: 0, count: bounds.count + 1)
    }

    public var count: Int { counts.reduce(0, +) }

    public mutating func add(_ value: Double) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
        sum += value
    }

    /// Each bound, the infinite one last, with the number of values up to it.
    public var buckets: [(bound: Double, count: Int)] {
        var total = 0
        return zip(bounds + [.infinity], counts).map { bound, count in
            total += count
            return (bound, total)
        }
    }
}

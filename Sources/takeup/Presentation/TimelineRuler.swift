import TakeupTimeline

/// Marks on a scale of time.
struct TimelineRuler: Sendable, Equatable {
    /// Seconds of each mark.
    let marks: [Double]
    private let isWhole: Bool

    private static let steps = [
        0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300,
        600,
        900, 1800, 3600, 7200, 14_400, 43_200, 86_400, 864_000,
    ]

    /// Chooses round steps.
    ///
    /// - Parameters:
    ///   - seconds: How long the scale is.
    ///   - most: Highest number of marks, at least 1.
    init(seconds: Double, most: Int) {
        let step = Self.steps.first { seconds / $0 <= Double(max(1, most)) } ?? max(1, seconds)
        isWhole = step >= 1
        marks = (0...max(0, Int(seconds / step))).map { Double($0) * step }
    }

    func label(_ seconds: Double) -> String {
        isWhole ? ClockText.coarse(seconds) : ClockText.exact(MediaTime(seconds: seconds))
    }
}

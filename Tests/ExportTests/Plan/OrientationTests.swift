import Testing

@testable import TakeupExport

@Suite("Orientation")
struct OrientationTests {
    private static func matrix(_ a: Int32, _ b: Int32, _ c: Int32, _ d: Int32) -> [Int32] {
        [a << 16, b << 16, 0, c << 16, d << 16, 0, 0, 0, 1 << 30]
    }

    @Test(
        "reads the eight ways to hold a camera",
        arguments: [
            (matrix(1, 0, 0, 1), 0, false), (matrix(0, 1, -1, 0), 90, false),
            (matrix(-1, 0, 0, -1), 180, false), (matrix(0, -1, 1, 0), 270, false),
            (matrix(-1, 0, 0, 1), 0, true), (matrix(0, 1, 1, 0), 90, true),
            (matrix(1, 0, 0, -1), 180, true), (matrix(0, -1, -1, 0), 270, true),
        ] as [([Int32], Int, Bool)])
    func eight(matrix: [Int32], degrees: Int, isMirrored: Bool) throws {
        let orientation = try #require(Orientation(matrix: matrix))
        #expect(orientation.clockwiseDegrees == degrees)
        #expect(orientation.isMirrored == isMirrored)
        #expect(orientation.swapsAxes == (degrees == 90 || degrees == 270))
        #expect(Self.corner(orientation) == Self.corner(matrix))
    }

    /// Where the stored picture's x and y axes point to when it is shown, y downwards.
    private static func corner(_ matrix: [Int32]) -> [Int] {
        [matrix[0], matrix[1], matrix[3], matrix[4]].map { $0.signum() }.map(Int.init)
    }

    /// The same by turning and mirroring unit vectors.
    private static func corner(_ orientation: Orientation) -> [Int] {
        [(1, 0), (0, 1)].flatMap { vector in
            var (x, y) = vector
            for _ in 0..<orientation.clockwiseDegrees / 90 { (x, y) = (-y, x) }
            return [orientation.isMirrored ? -x : x, y]
        }
    }

    @Test("takes the nearest of the eight, and nothing from what shows nothing")
    func odd() {
        let tilted = Orientation(matrix: [60_000, 9_000, 0, -9_000, 60_000, 0, 0, 0, 1 << 30])
        #expect(tilted == .upright)
        let least = Orientation(matrix: [.min, 1, 0, 1, .min, 0, 0, 0, 1])
        #expect(least == Orientation(clockwiseDegrees: 180, isMirrored: false))
        #expect(Orientation(matrix: Array(repeating: 0, count: 9)) == nil)
        #expect(Orientation(matrix: Self.matrix(1, 0, 0, 0)) == nil)
        #expect(Orientation(matrix: [1, 2, 3]) == nil)
        #expect(Orientation(clockwiseDegrees: -90, isMirrored: false).clockwiseDegrees == 270)
    }
}

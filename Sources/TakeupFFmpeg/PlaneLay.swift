/// Lays one plane of a picture on a plane of another one.
struct PlaneLay {
    let plane: Int
    let target: SamplePlane
    let ground: SamplePlane
    let source: SamplePlane
    let alpha: SamplePlane?
    let placement: PicturePlacement
    let depth: Int
    /// The luma samples of the ground that it may reach.
    let x: Range<Int>
    let y: Range<Int>

    /// Luma samples for a sample of this plane.
    private var step: Double { plane == 0 ? 1 : 2 }
    /// Where a sample lies in its luma samples: chroma is in the middle of two rows, at the left of two columns.
    ///
    /// - Note: Source: ITU-T H.264 figure 6-1, the usual place of chroma.
    private var site: (x: Double, y: Double) { plane == 0 ? (0.5, 0.5) : (0.5, 1) }

    private var black: Float {
        Float((plane == 0 ? 16 : 128) << (depth - 8))
    }

    /// Two neighbours on a side of a plane, and how much of the second one counts.
    private struct Pair {
        let first: Int
        let second: Int
        let share: Float

        init(_ position: Double, count: Int) {
            let place = min(max(position, 0), Double(count - 1))
            first = Int(place)
            second = min(first + 1, count - 1)
            share = Float(place - Double(first))
        }
    }

    func run<Sample: FixedWidthInteger & UnsignedInteger>(_ type: Sample.Type) {
        let size = Int(step)
        let columns = x.lowerBound / size..<min(target.width, (x.upperBound + size - 1) / size)
        let rows = y.lowerBound / size..<min(target.height, (y.upperBound + size - 1) / size)
        let isStraight = placement.u.fromY == 0 && placement.v.fromX == 0
        let across = isStraight ? columns.map { column($0) } : []
        for row in rows {
            guard let own = target.row(type, row), let below = ground.row(type, row) else { return }
            if isStraight {
                straight(type, own, below, columns, across, row)
            } else {
                for column in columns {
                    let (weight, sample, opaque) = turned(type, column, row)
                    if weight > 0 { put(own, below, column, weight, sample, opaque) }
                }
            }
        }
    }

    /// What a column of an upright picture takes: how much of it is seen, and from where.
    private struct Across {
        let cover: Float
        let source: Pair
        let alpha: Pair
    }

    private func column(_ column: Int) -> Across {
        let middle = (Double(column) + 0.5) * step
        let inside = placement.u.at(middle, 0)
        let cover =
            edge(inside, placement.window.left, placement.window.right, placement.u.slope)
            * edge(middle, placement.clip.left, placement.clip.right, 1)
        let place = placement.u.at(Double(column) * step + site.x, 0)
        return Across(
            cover: cover, source: Pair((place - site.x) / step, count: source.width),
            alpha: Pair(inside - 0.5, count: alpha?.width ?? 1))
    }

    private func straight<Sample: FixedWidthInteger & UnsignedInteger>(
        _ type: Sample.Type, _ own: UnsafeMutablePointer<Sample>,
        _ below: UnsafeMutablePointer<Sample>, _ columns: Range<Int>, _ across: [Across], _ row: Int
    ) {
        let middle = (Double(row) + 0.5) * step
        let inside = placement.v.at(0, middle)
        let cover =
            Float(placement.weight)
            * edge(inside, placement.window.top, placement.window.bottom, placement.v.slope)
            * edge(middle, placement.clip.top, placement.clip.bottom, 1)
        guard cover > 0 else { return }
        let place = placement.v.at(0, Double(row) * step + site.y)
        let down = Pair((place - site.y) / step, count: source.height)
        guard let upper = source.row(type, down.first), let lower = source.row(type, down.second)
        else { return }
        let alphaDown = Pair(inside - 0.5, count: alpha?.height ?? 1)
        let alphaUpper = alpha?.row(type, alphaDown.first)
        let alphaLower = alpha?.row(type, alphaDown.second)
        across.withUnsafeBufferPointer { across in
            for (index, column) in columns.enumerated() {
                let at = across[index]
                let weight = cover * at.cover
                guard weight > 0 else { continue }
                let sample = mean(upper, lower, at.source, down.share)
                var opaque: Float = 1
                if let alphaUpper, let alphaLower {
                    opaque = mean(alphaUpper, alphaLower, at.alpha, alphaDown.share) / most
                }
                put(own, below, column, weight, sample, opaque)
            }
        }
    }

    private func turned<Sample: FixedWidthInteger & UnsignedInteger>(
        _ type: Sample.Type, _ column: Int, _ row: Int
    ) -> (weight: Float, sample: Float, opaque: Float) {
        let (x, y) = ((Double(column) + 0.5) * step, (Double(row) + 0.5) * step)
        let (u, v) = (placement.u.at(x, y), placement.v.at(x, y))
        let weight =
            Float(placement.weight)
            * edge(u, placement.window.left, placement.window.right, placement.u.slope)
            * edge(v, placement.window.top, placement.window.bottom, placement.v.slope)
            * edge(x, placement.clip.left, placement.clip.right, 1)
            * edge(y, placement.clip.top, placement.clip.bottom, 1)
        guard weight > 0 else { return (0, 0, 1) }
        let (siteX, siteY) = (
            Double(column) * step + site.x, Double(row) * step + site.y
        )
        let across = Pair((placement.u.at(siteX, siteY) - site.x) / step, count: source.width)
        let down = Pair((placement.v.at(siteX, siteY) - site.y) / step, count: source.height)
        guard let upper = source.row(type, down.first), let lower = source.row(type, down.second)
        else { return (0, 0, 1) }
        let sample = mean(upper, lower, across, down.share)
        guard let alpha else { return (weight, sample, 1) }
        let alphaDown = Pair(v - 0.5, count: alpha.height)
        guard let first = alpha.row(type, alphaDown.first),
            let second = alpha.row(type, alphaDown.second)
        else { return (0, 0, 1) }
        let opaque = mean(first, second, Pair(u - 0.5, count: alpha.width), alphaDown.share)
        return (weight, sample, opaque / most)
    }

    private var most: Float { Float(1 << depth - 1) }

    /// How much of a sample lies between two edges of the picture.
    @inline(__always)
    private func edge(_ place: Double, _ first: Double, _ last: Double, _ slope: Double) -> Float {
        let unit = slope * step
        let inside = min(place - first, last - place) / unit + 0.5
        // Something thinner than a sample covers as much of it as it is wide.
        return Float(min(max(inside, 0), 1, (last - first) / unit))
    }

    @inline(__always)
    private func mean<Sample: FixedWidthInteger & UnsignedInteger>(
        _ upper: UnsafeMutablePointer<Sample>, _ lower: UnsafeMutablePointer<Sample>, _ at: Pair,
        _ down: Float
    ) -> Float {
        let first = Float(upper[at.first]), second = Float(lower[at.first])
        let top = first + (Float(upper[at.second]) - first) * at.share
        let bottom = second + (Float(lower[at.second]) - second) * at.share
        return top + (bottom - top) * down
    }

    @inline(__always)
    private func put<Sample: FixedWidthInteger & UnsignedInteger>(
        _ own: UnsafeMutablePointer<Sample>, _ below: UnsafeMutablePointer<Sample>, _ place: Int,
        _ weight: Float, _ sample: Float, _ opaque: Float
    ) {
        let tint = Float(placement.tint.share)
        var color = sample - black
        if tint > 0 {
            color += tint * ((Float(placement.tint.samples[plane]) - black) * opaque - color)
        }
        let value = Float(own[place]) + weight * (color - opaque * (Float(below[place]) - black))
        own[place] = Sample(truncatingIfNeeded: Int(min(max(value + 0.5, 0), most)))
    }
}

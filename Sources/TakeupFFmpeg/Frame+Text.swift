internal import CTakeupFFmpeg

/// Text as a picture that is laid on others.
extension Frame {
    /// Draws masks above each other on a transparent picture that holds all of them.
    ///
    /// Its samples are premultiplied about black, as `lay` takes them.
    ///
    /// - Parameters:
    ///   - masks: From the lowest on; at least one.
    ///   - format: Planar Y′CbCr with 4:2:0 chroma and alpha.
    ///   - samples: The luma and chroma of each mask's colour.
    /// - Returns: A picture that is just large enough.
    /// - Throws: `FFmpegError` with `.allocate`.
    public static func drawn(
        _ masks: [TextRenderer.Mask], _ format: PixelFormat, samples: [[Int]]
    ) throws(FFmpegError) -> Frame {
        let (x, y) = textCorner(masks)
        let right = masks.map { $0.x + $0.width }.max() ?? 0
        let bottom = masks.map { $0.y + $0.height }.max() ?? 0
        let (width, height) = (max(2, (right - x + 1) / 2 * 2), max(2, (bottom - y + 1) / 2 * 2))
        let frame = try Frame.picture(width: width, height: height, format)
        var rows = TextRows(width: width, depth: format.bitDepth)
        for pair in 0..<height / 2 {
            rows.clear()
            for (mask, color) in zip(masks, samples) {
                rows.add(mask, color, x: x, y: y + 2 * pair)
            }
            if format.bitDepth > 8 {
                rows.write(UInt16.self, frame.planes, pair: pair)
            } else {
                rows.write(UInt8.self, frame.planes, pair: pair)
            }
        }
        return frame
    }

    /// Returns where the corner of the picture of some masks lies in the output: at even samples.
    public static func textCorner(_ masks: [TextRenderer.Mask]) -> (x: Int, y: Int) {
        ((masks.map(\.x).min() ?? 0) / 2 * 2, (masks.map(\.y).min() ?? 0) / 2 * 2)
    }
}

/// Two rows of a picture of text, with chroma in every sample.
private struct TextRows {
    let width: Int
    let depth: Int
    /// Luma, both of chroma and alpha, two rows each; alpha is 0 to 1.
    private var planes: [[Float]]

    init(width: Int, depth: Int) {
        (self.width, self.depth) = (width, depth)
        planes = Array(repeating: Array(repeating: 0, count: 2 * width), count: 4)
    }

    private func black(_ plane: Int) -> Float {
        plane == 3 ? 0 : Float((plane == 0 ? 16 : 128) << (depth - 8))
    }

    mutating func clear() {
        for plane in planes.indices {
            let black = black(plane)
            for place in planes[plane].indices { planes[plane][place] = black }
        }
    }

    /// Lays the part of a mask that is in these rows on what is there.
    mutating func add(_ mask: TextRenderer.Mask, _ color: [Int], x: Int, y: Int) {
        let target = color.map { Float($0) } + [1]
        for row in max(y, mask.y)..<max(y, mask.y, min(y + 2, mask.y + mask.height)) {
            let from = (row - mask.y) * mask.width
            let to = (row - y) * width + mask.x - x
            for column in 0..<mask.width where mask.coverage[from + column] > 0 {
                let share = Float(mask.coverage[from + column]) / 255 * mask.opacity
                for plane in 0..<4 {
                    let own = planes[plane][to + column]
                    planes[plane][to + column] = own + (target[plane] - own) * share
                }
            }
        }
    }

    /// Writes luma and alpha as they are, and the mean of four samples of chroma.
    func write<Sample: FixedWidthInteger & UnsignedInteger>(
        _ type: Sample.Type, _ target: [SamplePlane], pair: Int
    ) {
        let most = Float(1 << depth - 1)
        for plane in 0..<min(4, target.count) {
            if plane == 1 || plane == 2 {
                guard let row = target[plane].row(type, pair) else { continue }
                for place in 0..<width / 2 {
                    let sum =
                        planes[plane][2 * place] + planes[plane][2 * place + 1]
                        + planes[plane][width + 2 * place] + planes[plane][width + 2 * place + 1]
                    row[place] = Sample(truncatingIfNeeded: Int(sum / 4 + 0.5))
                }
                continue
            }
            for line in 0..<2 {
                guard let row = target[plane].row(type, 2 * pair + line) else { continue }
                for place in 0..<width {
                    let value = planes[plane][line * width + place]
                    row[place] = Sample(
                        truncatingIfNeeded: Int((plane == 3 ? value * most : value) + 0.5))
                }
            }
        }
    }
}

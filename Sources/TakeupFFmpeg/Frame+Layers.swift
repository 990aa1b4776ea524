internal import CTakeupFFmpeg

/// Pictures of planar Y′CbCr with 4:2:0 chroma, of limited range, laid above each other.
///
/// A fourth plane is alpha. Samples of a picture with alpha are premultiplied about black: 16 for luma and 128 for chroma, in
/// 8 bits.
extension Frame {
    /// Creates a picture of one colour, of which `samples` has the value of each plane.
    ///
    /// - Throws: `FFmpegError` with `.allocate`.
    public static func filled(
        width: Int, height: Int, _ format: PixelFormat, samples: [Int]
    ) throws(FFmpegError) -> Frame {
        let frame = try Frame.picture(width: width, height: height, format)
        for plane in samples.indices {
            frame.rows(of: plane) { row in
                for place in 0..<row.count { row.set(UInt16(samples[plane]), at: place) }
            }
        }
        return frame
    }

    /// Creates a second frame with a payload of its own.
    ///
    /// - Throws: `FFmpegError` with `.allocate`.
    public func copied() throws(FFmpegError) -> Frame {
        let format = videoFormat
        let copy = try Frame.picture(
            width: format.width, height: format.height, format.pixelFormat)
        try check(av_frame_copy(copy.raw, raw), .allocate, "a picture")
        copy.raw.pointee.pts = raw.pointee.pts
        return copy
    }

    /// The first sample of each plane, without alpha.
    public var firstSamples: [Int] {
        (0..<3).map { plane in
            guard let start = planes[plane].base else { return 0 }
            return isDeep
                ? Int(start.assumingMemoryBound(to: UInt16.self).pointee)
                : Int(start.assumingMemoryBound(to: UInt8.self).pointee)
        }
    }

    /// Creates a picture of half the width and height, or a sample more; each sample is the mean of four.
    ///
    /// - Throws: `FFmpegError` with `.allocate`.
    public func halved() throws(FFmpegError) -> Frame {
        let format = videoFormat
        let half = try Frame.picture(
            width: (format.width / 2 + 1) / 2 * 2, height: (format.height / 2 + 1) / 2 * 2,
            format.pixelFormat)
        for (from, to) in zip(planes, half.planes) {
            if isDeep {
                Self.halve(UInt16.self, from, to)
            } else {
                Self.halve(UInt8.self, from, to)
            }
        }
        return half
    }

    /// Lays a picture on this one.
    ///
    /// Each sample becomes `own + w · (picture − alpha · (below − black))`, with `w` the placement's weight times how much of
    /// the sample the picture covers. So pictures that share one place are added, each to the same ground.
    ///
    /// - Parameters:
    ///   - picture: Of this one's depth.
    ///   - placement: Where it lies.
    ///   - below: The picture below it: this frame, or a copy from before other pictures were laid on it.
    public func lay(
        _ picture: borrowing Frame, _ placement: PicturePlacement, over below: borrowing Frame
    ) {
        let size = videoFormat
        guard placement.weight > 0,
            let reach = placement.reach(width: size.width, height: size.height)
        else { return }
        precondition(
            isDeep == picture.isDeep && size.pixelFormat.chromaShift == (1, 1), "equal 4:2:0 planes"
        )
        for plane in 0..<3 {
            let lay = PlaneLay(
                plane: plane, target: planes[plane], ground: below.planes[plane],
                source: picture.planes[plane],
                alpha: picture.planes.count > 3 ? picture.planes[3] : nil, placement: placement,
                depth: size.pixelFormat.bitDepth, x: reach.x, y: reach.y)
            if isDeep { lay.run(UInt16.self) } else { lay.run(UInt8.self) }
        }
    }

    static func picture(
        width: Int, height: Int, _ format: PixelFormat
    ) throws(FFmpegError) -> Frame {
        let frame = try Frame()
        frame.raw.pointee.width = Int32(width)
        frame.raw.pointee.height = Int32(height)
        frame.raw.pointee.format = format.raw.rawValue
        frame.raw.pointee.color_range = format.isRGB ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        try check(av_frame_get_buffer(frame.raw, 0), .allocate, "a picture")
        return frame
    }

    private var isDeep: Bool { videoFormat.pixelFormat.bitDepth > 8 }

    /// The planes of the picture, in its format's order.
    var planes: [SamplePlane] {
        let format = videoFormat
        let shift = format.pixelFormat.chromaShift
        let count = Int(max(1, av_pix_fmt_count_planes(format.pixelFormat.raw)))
        let strides = [
            raw.pointee.linesize.0, raw.pointee.linesize.1, raw.pointee.linesize.2,
            raw.pointee.linesize.3,
        ]
        return (0..<min(4, count)).map { plane in
            let isChroma = plane == 1 || plane == 2
            let (wide, tall) = isChroma ? (shift.horizontal, shift.vertical) : (0, 0)
            return SamplePlane(
                base: raw.pointee.extended_data[plane].map { UnsafeMutableRawPointer($0) },
                stride: Int(strides[plane]), width: -(-format.width >> wide),
                height: -(-format.height >> tall))
        }
    }

    private func rows(of plane: Int, _ body: (SampleRow) -> Void) {
        let plane = planes[plane]
        guard let base = plane.base else { return }
        for row in 0..<plane.height {
            body(SampleRow(base: base + row * plane.stride, count: plane.width, isDeep: isDeep))
        }
    }

    private static func halve<Sample: FixedWidthInteger & UnsignedInteger>(
        _ type: Sample.Type, _ from: SamplePlane, _ to: SamplePlane
    ) {
        for row in 0..<to.height {
            guard let upper = from.row(type, min(2 * row, from.height - 1)),
                let lower = from.row(type, min(2 * row + 1, from.height - 1)),
                let target = to.row(type, row)
            else { return }
            for place in 0..<to.width {
                let (first, second) = (
                    min(2 * place, from.width - 1), min(2 * place + 1, from.width - 1)
                )
                let sum =
                    Int(upper[first]) + Int(upper[second]) + Int(lower[first]) + Int(lower[second])
                target[place] = Sample(truncatingIfNeeded: (sum + 2) >> 2)
            }
        }
    }
}

/// One plane of a picture in memory.
struct SamplePlane {
    let base: UnsafeMutableRawPointer?
    /// Bytes from row to row.
    let stride: Int
    let width: Int
    let height: Int

    func row<Sample>(_ type: Sample.Type, _ number: Int) -> UnsafeMutablePointer<Sample>? {
        base.map { ($0 + number * stride).assumingMemoryBound(to: type) }
    }
}

private struct SampleRow {
    let base: UnsafeMutableRawPointer
    let count: Int
    let isDeep: Bool

    func set(_ value: UInt16, at place: Int) {
        if isDeep {
            base.assumingMemoryBound(to: UInt16.self)[place] = value
        } else {
            base.assumingMemoryBound(to: UInt8.self)[place] = UInt8(truncatingIfNeeded: value)
        }
    }
}

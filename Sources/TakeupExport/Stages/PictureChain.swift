internal import TakeupFFmpeg
internal import TakeupTimeline

/// Builds the filter chain that converts one source's pictures to the output's format.
struct PictureChain {
    /// Smaller pictures than this, in pixels, are scaled by swscale, because zimg refuses some of
    /// them.
    private static let tiny = 16
    /// Luminance of diffuse white in HDR, in candela per square metre.
    ///
    /// - Note: Source: ITU-R BT.2408.
    private static let white = 203.0
    /// Usual mastering peak of HDR, in candela per square metre, if nothing is stated.
    private static let usualPeak = 1000.0

    let format: VideoFormat
    let traits: VideoTraits
    let encoding: VideoEncoding
    let deinterlaces: Bool
    /// Whether pictures of another shape take the frame's.
    var stretches = false

    /// The chain, for example `transpose=1,zscale=w=720:h=1280:…,format=yuv420p`.
    var text: String {
        // Copied parts show their pictures as they are; so do the encoded ones beside them.
        if encoding.match != nil { return "format=\(encoding.pixelFormat)" }
        var steps: [String] = []
        if let planar = planarFormat { steps += unpacked(planar) }
        if format.pixelFormat.hasAlpha { steps += ["premultiply=inplace=1"] }
        if deinterlaces { steps += deinterlacer }
        steps += evenCrop + turns + fillCrop
        if needsScaler { steps += scaler }
        steps.append("format=\(encoding.pixelFormat)")
        let isBlurred = encoding.fit == .blur && content != area
        if isBlurred { steps.append(FrameBorder(frame: area, content: content).blurred) }
        let filled = isBlurred ? area : content
        if filled != canvas { steps.append(FrameBorder(frame: canvas, content: filled).black) }
        return steps.joined(separator: ",")
    }

    /// Uses the field flags of each frame, unless the fields were detected from the pictures.
    private var deinterlacer: [String] {
        guard traits.isScanJudged else {
            return ["bwdif=mode=send_frame:parity=auto:deint=interlaced"]
        }
        let isTopFirst = traits.scan == .topFieldFirst
        return ["bwdif=mode=send_frame:parity=\(isTopFirst ? "tff" : "bff"):deint=all"]
    }

    private var canvas: FrameSize { FrameSize(width: encoding.width, height: encoding.height) }

    /// The part of the canvas that pictures may fill.
    private var area: FrameSize { encoding.area ?? canvas }

    private var isTiny: Bool {
        min(format.width, format.height, region.width, region.height) < Self.tiny
    }

    /// Size of the picture when upright and with square pixels.
    var display: FrameSize {
        let isWholeTrack = format.width == traits.width && format.height == traits.height
        let coded = format.sampleAspect.numerator > 0 ? format.sampleAspect : Ratio(1, 1)
        let aspect = (isWholeTrack ? traits.sampleAspect : coded).doubleValue
        let wide = max(1, Int((Double(format.width) * aspect).rounded()))
        return traits.orientation.swapsAxes
            ? FrameSize(width: format.height, height: wide)
            : FrameSize(width: wide, height: format.height)
    }

    /// Size of the picture on the canvas: all of it, unless the shapes differ by more than a line
    /// or 1 %.
    private var content: FrameSize {
        if encoding.fit == .fill || stretches { return area }
        let fitted = area.containing(display)
        return fitted.isClose(to: area) ? area : fitted
    }

    /// The coded size, turned upright.
    private var upright: FrameSize {
        traits.orientation.swapsAxes
            ? FrameSize(width: format.height, height: format.width)
            : FrameSize(width: format.width, height: format.height)
    }

    /// The middle part of the upright picture, in coded pixels, that fills the frame.
    private var region: FrameSize {
        guard encoding.fit == .fill, !stretches else { return upright }
        let (shown, stored) = (display, upright)
        let scale = max(
            Double(area.width) / Double(shown.width),
            Double(area.height) / Double(shown.height))
        let shift = format.pixelFormat.chromaShift
        let step = 1 << max(1, shift.horizontal, shift.vertical)
        func side(_ framed: Int, _ shown: Int, _ stored: Int) -> Int {
            let wanted = Double(framed) / scale * Double(stored) / Double(shown)
            let most = stored < step ? stored : stored / step * step
            return min(most, max(step, Int((wanted / Double(step)).rounded()) * step))
        }
        return FrameSize(
            width: side(area.width, shown.width, stored.width),
            height: side(area.height, shown.height, stored.height))
    }

    /// Crops before scaling, so that no intermediate picture is larger than its frame.
    private var fillCrop: [String] {
        guard region.width < upright.width || region.height < upright.height else { return [] }
        let left = (upright.width - region.width) / 4 * 2
        let top = (upright.height - region.height) / 4 * 2
        return ["crop=\(region.width):\(region.height):\(left):\(top):exact=1"]
    }

    private var hasOddSubsampledSize: Bool {
        let shift = format.pixelFormat.chromaShift
        return (shift.horizontal > 0 && format.width % (1 << shift.horizontal) != 0)
            || (shift.vertical > 0 && format.height % (1 << shift.vertical) != 0)
    }

    /// Whether the picture could keep its size except for an odd line or column.
    private var losesOddLineOnly: Bool {
        let (width, height) = (format.width & ~1, format.height & ~1)
        let even =
            traits.orientation.swapsAxes
            ? FrameSize(width: height, height: width) : FrameSize(width: width, height: height)
        return content == even && (width != format.width || height != format.height)
    }

    /// Crops an odd line or column, because subsampled chroma has no half sample; nothing is
    /// squeezed.
    private var evenCrop: [String] {
        guard !isTiny, hasOddSubsampledSize || losesOddLineOnly else { return [] }
        let shift = format.pixelFormat.chromaShift
        let least = losesOddLineOnly ? 1 : 0
        let width = format.width & ~((1 << max(least, shift.horizontal)) - 1)
        let height = format.height & ~((1 << max(least, shift.vertical)) - 1)
        return ["crop=\(width):\(height):0:0"]
    }

    private var turns: [String] {
        let orientation = traits.orientation
        var steps: [String] =
            switch orientation.clockwiseDegrees {
            case 90: ["transpose=clock"]
            case 180: ["hflip", "vflip"]
            case 270: ["transpose=cclock"]
            default: []
            }
        if orientation.isMirrored { steps.append("hflip") }
        return steps
    }

    /// A planar format that the filters can read, if they cannot read the source's format; nil if
    /// they can.
    private var planarFormat: String? {
        let pixels = format.pixelFormat
        let depth = pixels.bitDepth > 8 ? "16le" : ""
        let isRead = PlanarFormats.zimg.contains(pixels.name)
        if pixels.hasAlpha {
            // The filter that puts a picture with alpha on black accepts only full-size chroma.
            let name = pixels.isRGB ? "gbrap" : "yuva444p"
            return isRead && pixels.name.hasPrefix(name) ? nil : name + depth
        }
        if isRead { return nil }
        if pixels.isRGB { return "gbrp" + depth }
        if pixels.isGray {
            let exact = "yuv420p\(pixels.bitDepth)le"
            return PlanarFormats.zimg.contains(exact) ? exact : "yuv420p" + depth
        }
        let shift = pixels.chromaShift
        let chroma = shift.horizontal == 0 ? "444" : (shift.vertical == 0 ? "422" : "420")
        return "yuv\(chroma)p" + depth
    }

    /// Rearranges the samples in memory without changing their values.
    ///
    /// If swscale does not know both ranges, it converts full range to limited range. So it is told
    /// that both are full; the later filters get the real range.
    private func unpacked(_ planar: String) -> [String] {
        if format.pixelFormat.isRGB { return ["scale", "format=\(planar)"] }
        return [
            "setparams=range=pc", "scale=out_range=full", "format=\(planar)",
            "setparams=range=\(input.range ?? "tv")",
        ]
    }

    private var input: ColorTags {
        var tags = ColorTags(format.color, or: traits.color.description)
        let pixels = format.pixelFormat
        // Grey without a range tag is full range, as FFmpeg and writers of PNG or raw grey assume.
        if pixels.isFullRangeByName || (pixels.isGray && tags.range == nil) { tags.range = "pc" }
        return ColorPlan.assumed(
            tags, width: format.width, height: format.height, isRGB: pixels.isRGB)
    }

    private var needsScaler: Bool {
        let own = format.pixelFormat
        let isSameSize =
            content == region && (encoding.fit == .fill && !stretches || !hasOddSubsampledSize)
        // Names that mean the same to the scaler need none.
        let isSameColor =
            zimg(input) == zimg(encoding.color) && input.range == encoding.color.range
            && !isToneMapped
        return !isSameSize || !isSameColor || own.name != encoding.pixelFormat
    }

    /// Whether the picture's high dynamic range must become the output's standard range.
    private var isToneMapped: Bool {
        ColorTags(transfer: input.transfer).isHDR && !encoding.color.isHDR
    }

    /// What white of the standard range becomes in an output of high dynamic range.
    private var whiteLevel: String {
        let isLifted = encoding.color.isHDR && !ColorTags(transfer: input.transfer).isHDR
        return isLifted ? ":npl=\(Int(Self.white))" : ""
    }

    private var scaler: [String] {
        let size = "w=\(content.width):h=\(content.height)"
        let from = input
        if isTiny { return tinyScaler(size, from) }
        let target = zimg(encoding.color)
        let into =
            "matrixin=\(zimg(from).matrix):transferin=\(zimg(from).transfer)"
            + ":primariesin=\(zimg(from).primaries):rangein=\(from.range == "pc" ? "full" : "limited")"
        let out =
            "matrix=\(target.matrix):transfer=\(target.transfer)"
            + ":primaries=\(target.primaries):range=limited"
        let depth = PixelFormat(named: encoding.pixelFormat)?.bitDepth ?? 8
        let dither = format.pixelFormat.bitDepth > depth ? ":dither=error_diffusion" : ""
        guard isToneMapped else {
            return ["zscale=\(size):filter=bicubic:\(into):\(out)\(whiteLevel)\(dither)"]
        }
        return toneMapping(size, into, primaries: zimg(from).primaries)
    }

    /// Returns the swscale filter for tiny pictures; swscale has its own matrix names and defaults
    /// to BT.601.
    private func tinyScaler(_ size: String, _ from: ColorTags) -> [String] {
        let matrices = ["bt709": "bt709", "bt2020nc": "bt2020"]
        let matrix = matrices[encoding.color.matrix ?? "bt709"] ?? "bt601"
        return [
            "setparams=range=\(from.range ?? "tv"):colorspace=\(from.matrix ?? "bt709")",
            "scale=\(size):flags=neighbor:out_range=limited:out_color_matrix=\(matrix)",
        ]
    }

    /// Returns a tone mapping that keeps values up to a third of white and compresses brighter
    /// ones.
    private func toneMapping(_ size: String, _ into: String, primaries: String) -> [String] {
        let brightest =
            traits.hdr?.maximumContentLightLevel.map(Double.init)
            ?? traits.hdr?.maximumLuminance?.doubleValue
        let known = brightest.flatMap { (Self.white...10_000).contains($0) ? $0 : nil }
        let peak = (known ?? Self.usualPeak) / Self.white
        let target = zimg(encoding.color)
        return [
            "zscale=\(size):filter=bicubic:\(into):transfer=linear:primaries=\(primaries)"
                + ":matrix=gbr:range=full:npl=\(Int(Self.white))",
            "format=gbrpf32le", "zscale=primaries=bt709",
            "tonemap=mobius:param=0.3:desat=0:peak=\((peak * 100).rounded() / 100)",
            // Convert through integers, which cannot exceed the range.
            "zscale=transfer=bt709:matrix=gbr:range=full", "format=gbrp16le",
            "zscale=matrix=\(target.matrix):primaries=\(target.primaries)"
                + ":transfer=\(target.transfer):range=limited:dither=error_diffusion",
        ]
    }

    /// Returns zscale's names for tags; unknown tags become BT.709 on both sides, which leaves
    /// values unchanged.
    ///
    /// - Note: Source: FFmpeg 5.1, `vf_zscale.c`; SMPTE 240M's matrix is misspelt there, hence its
    ///   number.
    private func zimg(_ tags: ColorTags) -> (matrix: String, transfer: String, primaries: String) {
        let matrices: Set = [
            "bt709", "smpte170m", "bt470bg", "bt2020nc", "bt2020c", "gbr", "fcc", "ycgco", "ictcp",
        ]
        let transfers: Set = [
            "bt709", "smpte170m", "bt470m", "bt470bg", "linear", "log100", "log316", "bt2020-10",
            "bt2020-12", "smpte2084", "iec61966-2-4", "iec61966-2-1", "arib-std-b67",
        ]
        let primaries: Set = [
            "bt709", "bt470m", "bt470bg", "smpte170m", "smpte240m", "film", "bt2020", "smpte428",
            "smpte431", "smpte432",
        ]
        let renamed = ["gamma22": "bt470m", "gamma28": "bt470bg", "smpte240m": "smpte170m"]
        let matrix = tags.matrix ?? "bt709"
        let transfer = tags.transfer.map { renamed[$0] ?? $0 } ?? "bt709"
        let primary = tags.primaries ?? "bt709"
        return (
            matrix == "smpte240m" ? "7" : (matrices.contains(matrix) ? matrix : "bt709"),
            transfers.contains(transfer) ? transfer : "bt709",
            primaries.contains(primary) ? primary : "bt709"
        )
    }
}

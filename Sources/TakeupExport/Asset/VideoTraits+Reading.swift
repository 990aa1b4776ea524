internal import TakeupFFmpeg
internal import TakeupTimeline

extension VideoTraits {
    init(_ stream: StreamDescription, _ first: FirstFrame?, _ facts: InspectionFacts) {
        let declared = stream.sampleAspect
        let coded = first?.video?.sampleAspect ?? declared
        let matrix = stream.displayMatrix ?? first?.displayMatrix
        let format = first?.video?.pixelFormat ?? stream.pixelFormat
        var color = ColorTags(first?.video?.color ?? stream.color, or: stream.color)
        if format?.isFullRangeByName == true { color.range = "pc" }
        let judged = facts.scanTypes[stream.index]
        let scan = ScanType(stream, first, judged)
        self.init(
            width: first?.video?.width ?? stream.width,
            height: first?.video?.height ?? stream.height,
            sampleAspect: [declared, coded].first { $0.numerator > 0 } ?? Ratio(1, 1),
            orientation: matrix.flatMap(Orientation.init(matrix:)) ?? .upright,
            pixelFormat: format?.name ?? "unknown", bitDepth: format?.bitDepth ?? 0,
            hasAlpha: format?.hasAlpha ?? false, color: color,
            hdr: HDRMetadata(
                stream.masteringDisplay ?? first?.masteringDisplay,
                stream.contentLight ?? first?.contentLight),
            dolbyVisionProfile: stream.dolbyVisionProfile, scan: scan,
            isScanJudged: judged == scan && judged != .progressive,
            averageFrameRate: stream.averageFrameRate, nominalFrameRate: stream.nominalFrameRate,
            frameRateMode: FrameTiming(
                stream, facts.indexes[stream.index], facts.lacksTimestamps),
            reorderDelay: stream.reorderDelay)
    }
}

extension ColorTags {
    init(_ color: ColorDescription, or fallback: ColorDescription) {
        self.init(
            primaries: color.primaries ?? fallback.primaries,
            transfer: color.transfer ?? fallback.transfer,
            matrix: color.matrix ?? fallback.matrix, range: color.range ?? fallback.range,
            chromaLocation: color.chromaLocation ?? fallback.chromaLocation)
    }

    var description: ColorDescription {
        ColorDescription(
            primaries: primaries, transfer: transfer, matrix: matrix, range: range,
            chromaLocation: chromaLocation)
    }
}

extension HDRMetadata {
    init?(_ display: MasteringDisplay?, _ light: ContentLight?) {
        guard display != nil || light != nil else { return nil }
        self.init(
            chromaticities: display?.chromaticities ?? [],
            minimumLuminance: display?.luminance?.first,
            maximumLuminance: display?.luminance?.last,
            maximumContentLightLevel: light?.maximum,
            maximumFrameAverageLightLevel: light?.frameAverage)
    }
}

extension ScanType {
    init(_ stream: StreamDescription, _ first: FirstFrame?, _ judged: ScanType?) {
        if let judged, judged != .progressive {
            self = judged
            return
        }
        switch stream.fieldOrder {
        case "progressive": self = .progressive
        case "tt", "bt": self = .topFieldFirst
        case "bb", "tb": self = .bottomFieldFirst
        default:
            if first?.isInterlaced == true {
                self = first?.isTopFieldFirst == true ? .topFieldFirst : .bottomFieldFirst
            } else {
                self = judged ?? .unknown
            }
        }
    }
}

extension FrameTiming {
    init(_ stream: StreamDescription, _ index: IndexCheck?, _ lacksTimestamps: Bool) {
        if lacksTimestamps {
            self = .constant
        } else if let index, index.entries > 1 {
            self = index.isEven ? .constant : .variable
        } else if let average = stream.averageFrameRate, let nominal = stream.nominalFrameRate {
            let ratio = average.doubleValue / nominal.doubleValue
            self = abs(ratio - 1) < 0.002 ? .constant : .variable
        } else {
            self = .unknown
        }
    }
}

extension AudioTraits {
    init(_ stream: StreamDescription, _ first: FirstFrame?) {
        let format = first?.audio ?? stream.audioFormat
        self.init(
            sampleRate: format?.sampleRate ?? 0, channels: format?.layout.channels ?? 0,
            channelLayout: format?.layout.name,
            sampleFormat: format?.sampleFormat.name ?? "unknown")
    }
}

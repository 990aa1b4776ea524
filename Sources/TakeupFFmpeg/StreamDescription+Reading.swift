internal import CTakeupFFmpeg
internal import TakeupTimeline

extension StreamDescription {
    init(_ stream: UnsafeMutablePointer<AVStream>) {
        let codecpar = stream.pointee.codecpar.pointee
        index = Int(stream.pointee.index)
        kind = StreamKind(codecpar.codec_type)
        codec =
            codecpar.codec_id == AV_CODEC_ID_NONE
            ? "unknown" : String(cString: avcodec_get_name(codecpar.codec_id))
        codecTag = Self.fourCharacters(codecpar.codec_tag)
        codecTagNumber = Int(codecpar.codec_tag)
        containerID = Int(stream.pointee.id)
        profile = text(avcodec_profile_name(codecpar.codec_id, codecpar.profile))
        hasDecoder = avcodec_find_decoder(codecpar.codec_id) != nil
        timeBase = TimeBase(stream.pointee.time_base)
        startTicks = timestamp(stream.pointee.start_time)
        durationTicks = timestamp(stream.pointee.duration)
        declaredPackets = stream.pointee.nb_frames > 0 ? Int(stream.pointee.nb_frames) : nil
        bitRate = codecpar.bit_rate > 0 ? Int(codecpar.bit_rate) : nil
        metadata = OptionDictionary.pairs(stream.pointee.metadata)
        isDefault = stream.pointee.disposition & AV_DISPOSITION_DEFAULT != 0
        isForced = stream.pointee.disposition & AV_DISPOSITION_FORCED != 0
        isAttachedPicture = stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
        isEncrypted = Self.isEncrypted(stream)
        if kind == .video || kind == .audio, let bytes = codecpar.extradata {
            codecHeader = Array(
                UnsafeBufferPointer(start: bytes, count: Int(codecpar.extradata_size)))
        }
        readPictures(stream)
        audioFormat =
            codecpar.codec_type == AVMEDIA_TYPE_AUDIO
            ? AudioFormat(
                sampleRate: Int(codecpar.sample_rate),
                sampleFormat: SampleFormat(AVSampleFormat(codecpar.format)),
                layout: ChannelLayout(codecpar.ch_layout)) : nil
    }

    private mutating func readPictures(_ stream: UnsafeMutablePointer<AVStream>) {
        let codecpar = stream.pointee.codecpar.pointee
        width = Int(codecpar.width)
        height = Int(codecpar.height)
        sampleAspect = Self.aspect(stream)
        pixelFormat =
            codecpar.codec_type == AVMEDIA_TYPE_VIDEO && codecpar.format >= 0
            ? PixelFormat(AVPixelFormat(codecpar.format)) : nil
        color = ColorDescription(
            primaries: codecpar.color_primaries, transfer: codecpar.color_trc,
            matrix: codecpar.color_space, range: codecpar.color_range,
            chroma: codecpar.chroma_location)
        fieldOrder = Self.fieldOrder(codecpar.field_order)
        averageFrameRate = Self.rate(stream.pointee.avg_frame_rate)
        nominalFrameRate = Self.rate(stream.pointee.r_frame_rate)
        reorderDelay = Int(codecpar.video_delay)
        displayMatrix = Self.displayMatrix(stream)
        dolbyVisionProfile = Self.dolbyVisionProfile(stream)
        masteringDisplay = Self.masteringDisplay(stream)
        contentLight = Self.contentLight(stream)
        level = Int(codecpar.level)
    }

    private static func fourCharacters(_ tag: UInt32) -> String? {
        guard tag != 0 else { return nil }
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: tag >> (8 * UInt32($0))) }
        guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func aspect(_ stream: UnsafeMutablePointer<AVStream>) -> Ratio {
        let container = Ratio(positive: stream.pointee.sample_aspect_ratio)
        return container.numerator > 0
            ? container : Ratio(positive: stream.pointee.codecpar.pointee.sample_aspect_ratio)
    }

    private static func rate(_ rational: AVRational) -> Ratio? {
        let ratio = Ratio(positive: rational)
        return ratio.numerator > 0 ? exact(ratio) : nil
    }

    /// Returns the whole or NTSC frame rate that a measured rate such as 19001/317 approximates.
    private static func exact(_ rate: Ratio) -> Ratio {
        let isExact = rate.denominator == 1 || rate.denominator == 1001
        guard !isExact, rate.doubleValue < 1000 else { return rate }
        let whole = Ratio(Int64(rate.doubleValue.rounded()), 1)
        let ntsc = Ratio(Int64((rate.doubleValue * 1.001).rounded()) * 1000, 1001)
        return [whole, ntsc].first { abs($0.doubleValue / rate.doubleValue - 1) < 1e-6 } ?? rate
    }

    private static func fieldOrder(_ order: AVFieldOrder) -> String {
        switch order {
        case AV_FIELD_PROGRESSIVE: "progressive"
        case AV_FIELD_TT: "tt"
        case AV_FIELD_BB: "bb"
        case AV_FIELD_TB: "tb"
        case AV_FIELD_BT: "bt"
        default: "unknown"
        }
    }

    private static func isEncrypted(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        var size = 0
        let tag = fourCharacters(stream.pointee.codecpar.pointee.codec_tag) ?? ""
        return takeup_stream_side_data(stream, AV_PKT_DATA_ENCRYPTION_INIT_INFO, &size) != nil
            || ["drms", "drmi", "encv", "enca", "p608"].contains(tag)
    }

    private static func displayMatrix(_ stream: UnsafeMutablePointer<AVStream>) -> [Int32]? {
        var size = 0
        guard let bytes = takeup_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size),
            size >= 36
        else { return nil }
        return (0..<9).map {
            UnsafeRawPointer(bytes).loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self)
        }
    }

    private static func dolbyVisionProfile(_ stream: UnsafeMutablePointer<AVStream>) -> Int? {
        var size = 0
        guard let bytes = takeup_stream_side_data(stream, AV_PKT_DATA_DOVI_CONF, &size),
            size >= MemoryLayout<AVDOVIDecoderConfigurationRecord>.size
        else { return nil }
        return Int(
            UnsafeRawPointer(bytes).loadUnaligned(as: AVDOVIDecoderConfigurationRecord.self)
                .dv_profile)
    }

    private static func masteringDisplay(
        _ stream: UnsafeMutablePointer<AVStream>
    ) -> MasteringDisplay? {
        var size = 0
        guard
            let bytes = takeup_stream_side_data(
                stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, &size),
            size >= MemoryLayout<AVMasteringDisplayMetadata>.size
        else { return nil }
        return MasteringDisplay(
            UnsafeRawPointer(bytes).loadUnaligned(as: AVMasteringDisplayMetadata.self))
    }

    private static func contentLight(_ stream: UnsafeMutablePointer<AVStream>) -> ContentLight? {
        var size = 0
        guard
            let bytes = takeup_stream_side_data(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, &size),
            size >= MemoryLayout<AVContentLightMetadata>.size
        else { return nil }
        let raw = UnsafeRawPointer(bytes).loadUnaligned(as: AVContentLightMetadata.self)
        return ContentLight(maximum: Int(raw.MaxCLL), frameAverage: Int(raw.MaxFALL))
    }
}

extension StreamKind {
    init(_ type: AVMediaType) {
        switch type {
        case AVMEDIA_TYPE_VIDEO: self = .video
        case AVMEDIA_TYPE_AUDIO: self = .audio
        case AVMEDIA_TYPE_SUBTITLE: self = .subtitle
        case AVMEDIA_TYPE_DATA: self = .data
        case AVMEDIA_TYPE_ATTACHMENT: self = .attachment
        default: self = .unknown
        }
    }
}

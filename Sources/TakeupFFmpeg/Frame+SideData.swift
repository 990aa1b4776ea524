internal import CTakeupFFmpeg

extension Frame {
    /// The mastering display's colour volume from the bitstream.
    public var masteringDisplay: MasteringDisplay? {
        sideData(AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, AVMasteringDisplayMetadata.self)
            .map { MasteringDisplay($0) }
    }

    /// The content light level from the bitstream.
    public var contentLight: ContentLight? {
        sideData(AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, AVContentLightMetadata.self)
            .map { ContentLight(maximum: Int($0.MaxCLL), frameAverage: Int($0.MaxFALL)) }
    }

    /// The display matrix from the bitstream, as nine numbers; nil if there is none.
    public var displayMatrix: [Int32]? {
        guard let found = av_frame_get_side_data(raw, AV_FRAME_DATA_DISPLAYMATRIX),
            found.pointee.size >= 36
        else { return nil }
        return (0..<9).map {
            UnsafeRawPointer(found.pointee.data).loadUnaligned(
                fromByteOffset: 4 * $0, as: Int32.self)
        }
    }

    /// Removes side data that the filters have applied or that is no longer true.
    public func removeSideData() {
        for type in [
            AV_FRAME_DATA_DISPLAYMATRIX, AV_FRAME_DATA_DOVI_METADATA, AV_FRAME_DATA_DOVI_RPU_BUFFER,
            AV_FRAME_DATA_SEI_UNREGISTERED,
        ] {
            av_frame_remove_side_data(raw, type)
        }
    }

    /// Returns a tag that a filter attached, for example `lavfi.idet.multiple.current_frame`.
    public func metadata(_ key: String) -> String? {
        av_dict_get(raw.pointee.metadata, key, nil, 0).flatMap { text($0.pointee.value) }
    }

    private func sideData<Value>(_ type: AVFrameSideDataType, _ kind: Value.Type) -> Value? {
        guard let found = av_frame_get_side_data(raw, type),
            found.pointee.size >= MemoryLayout<Value>.size
        else { return nil }
        return UnsafeRawPointer(found.pointee.data).loadUnaligned(as: kind)
    }
}

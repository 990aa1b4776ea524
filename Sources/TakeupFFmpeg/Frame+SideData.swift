internal import CTakeupFFmpeg

extension Frame {
    /// The colour volume of the mastering display that the bitstream names.
    public var masteringDisplay: MasteringDisplay? {
        sideData(AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, AVMasteringDisplayMetadata.self)
            .map { MasteringDisplay($0) }
    }

    /// The content light level that the bitstream names.
    public var contentLight: ContentLight? {
        sideData(AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, AVContentLightMetadata.self)
            .map { ContentLight(maximum: Int($0.MaxCLL), frameAverage: Int($0.MaxFALL)) }
    }

    /// Nine numbers of the display matrix that the bitstream gives; nil when there is none.
    public var displayMatrix: [Int32]? {
        guard let found = av_frame_get_side_data(raw, AV_FRAME_DATA_DISPLAYMATRIX),
            found.pointee.size >= 36
        else { return nil }
        return (0..<9).map {
            UnsafeRawPointer(found.pointee.data).loadUnaligned(
                fromByteOffset: 4 * $0, as: Int32.self)
        }
    }

    /// Removes what the filters have applied or what no longer holds.
    public func removeSideData() {
        for type in [
            AV_FRAME_DATA_DISPLAYMATRIX, AV_FRAME_DATA_DOVI_METADATA, AV_FRAME_DATA_DOVI_RPU_BUFFER,
            AV_FRAME_DATA_SEI_UNREGISTERED,
        ] {
            av_frame_remove_side_data(raw, type)
        }
    }

    /// A tag that a filter left, such as `lavfi.idet.multiple.current_frame`.
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

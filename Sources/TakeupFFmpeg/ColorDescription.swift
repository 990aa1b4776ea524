internal import CTakeupFFmpeg

/// Colour tags by FFmpeg's names; nil if unspecified.
public struct ColorDescription: Sendable, Hashable {
    public var primaries: String?
    public var transfer: String?
    public var matrix: String?
    /// The range: `tv` or `pc`.
    public var range: String?
    public var chromaLocation: String?

    public init(
        primaries: String? = nil, transfer: String? = nil, matrix: String? = nil,
        range: String? = nil, chromaLocation: String? = nil
    ) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.range = range
        self.chromaLocation = chromaLocation
    }

    /// Creates the tags of a bitstream's codes, which H.273 defines; 2 stands for unspecified.
    ///
    /// nil for a code that FFmpeg does not know.
    ///
    /// - Parameter codes: Codes of primaries, transfer and matrix.
    public init?(codes: [Int]) {
        guard codes.count == 3, codes.allSatisfy((0...255).contains) else { return nil }
        let numbers = codes.map { UInt32($0) }
        self.init(
            primaries: AVColorPrimaries(numbers[0]),
            transfer: AVColorTransferCharacteristic(numbers[1]), matrix: AVColorSpace(numbers[2]),
            range: AVCOL_RANGE_UNSPECIFIED, chroma: AVCHROMA_LOC_UNSPECIFIED)
        let names = [primaries, transfer, matrix]
        guard zip(codes, names).allSatisfy({ ($0 == 2) == ($1 == nil) }) else { return nil }
    }

    init(
        primaries: AVColorPrimaries, transfer: AVColorTransferCharacteristic,
        matrix: AVColorSpace, range: AVColorRange, chroma: AVChromaLocation
    ) {
        self.primaries = Self.known(
            primaries.rawValue, AVCOL_PRI_UNSPECIFIED.rawValue, av_color_primaries_name(primaries))
        self.transfer = Self.known(
            transfer.rawValue, AVCOL_TRC_UNSPECIFIED.rawValue, av_color_transfer_name(transfer))
        self.matrix = Self.known(
            matrix.rawValue, AVCOL_SPC_UNSPECIFIED.rawValue, av_color_space_name(matrix))
        self.range = Self.known(
            range.rawValue, AVCOL_RANGE_UNSPECIFIED.rawValue, av_color_range_name(range))
        chromaLocation = Self.known(
            chroma.rawValue, AVCHROMA_LOC_UNSPECIFIED.rawValue, av_chroma_location_name(chroma))
    }

    private static func known(
        _ value: UInt32, _ unspecified: UInt32, _ name: UnsafePointer<CChar>?
    ) -> String? {
        guard value != unspecified, let name = text(name), name != "reserved" else { return nil }
        return name
    }

    func apply(to context: UnsafeMutablePointer<AVCodecContext>) {
        if let primaries, let code = Self.code(av_color_primaries_from_name(primaries)) {
            context.pointee.color_primaries = AVColorPrimaries(code)
        }
        if let transfer, let code = Self.code(av_color_transfer_from_name(transfer)) {
            context.pointee.color_trc = AVColorTransferCharacteristic(code)
        }
        if let matrixNumber { context.pointee.colorspace = AVColorSpace(matrixNumber) }
        if let rangeNumber { context.pointee.color_range = AVColorRange(rangeNumber) }
        if let chromaLocation, let code = Self.code(av_chroma_location_from_name(chromaLocation)) {
            context.pointee.chroma_sample_location = AVChromaLocation(code)
        }
    }

    /// FFmpeg's numbers for matrix and range, which its options accept besides names; nil if
    /// unspecified.
    var matrixNumber: UInt32? { matrix.flatMap { Self.code(av_color_space_from_name($0)) } }
    var rangeNumber: UInt32? { range.flatMap { Self.code(av_color_range_from_name($0)) } }

    private static func code(_ value: Int32) -> UInt32? { value < 0 ? nil : UInt32(value) }
}

internal import CTakeupFFmpeg

/// A negative return value of an FFmpeg function.
public struct FFmpegStatus: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    public static let endOfFile = FFmpegStatus(rawValue: takeup_error_eof)
    public static let again = FFmpegStatus(rawValue: takeup_error_again)
    public static let interrupted = FFmpegStatus(rawValue: takeup_error_exit)
    public static let invalidData = FFmpegStatus(rawValue: takeup_error_invalid_data)
    /// A feature that FFmpeg knows but does not support; damaged input often looks like one.
    public static let notImplemented = FFmpegStatus(rawValue: takeup_error_patch_welcome)
    public static let invalidArgument = FFmpegStatus(rawValue: takeup_error_invalid_argument)
    public static let outOfMemory = FFmpegStatus(rawValue: takeup_error_no_memory)
    public static let noSpace = FFmpegStatus(rawValue: takeup_error_no_space)
    public static let inputOutput = FFmpegStatus(rawValue: takeup_error_io)
    public static let notPermitted = FFmpegStatus(rawValue: takeup_error_not_permitted)
    public static let decoderNotFound = FFmpegStatus(rawValue: takeup_error_decoder_not_found)
    public static let encoderNotFound = FFmpegStatus(rawValue: takeup_error_encoder_not_found)
}

extension FFmpegStatus: CustomStringConvertible {
    public var description: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let base = buffer.baseAddress, av_strerror(rawValue, base, 128) >= 0 else {
                return "FFmpeg status \(rawValue)"
            }
            return String(cString: base)
        }
    }
}

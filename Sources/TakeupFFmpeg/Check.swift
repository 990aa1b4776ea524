internal import CTakeupFFmpeg

/// Returns a status that is not negative and throws an error for a negative one.
@discardableResult
func check(
    _ status: Int32, _ operation: FFmpegError.Operation, _ subject: @autoclosure () -> String
) throws(FFmpegError) -> Int32 {
    guard status >= 0 else {
        throw FFmpegError(
            operation, status: FFmpegStatus(rawValue: status), subject: subject())
    }
    return status
}

/// Returns an allocated pointer; throws `.outOfMemory` if the pointer is nil.
func allocated<Pointee>(
    _ pointer: UnsafeMutablePointer<Pointee>?, _ subject: String
) throws(FFmpegError) -> UnsafeMutablePointer<Pointee> {
    guard let pointer else {
        throw FFmpegError(.allocate, status: .outOfMemory, subject: subject)
    }
    return pointer
}

/// Converts an FFmpeg timestamp; nil for the no-timestamp mark and for values too large to add
/// safely.
func timestamp(_ ticks: Int64) -> Int64? {
    (-(1 << 60)...(1 << 60)).contains(ticks) ? ticks : nil
}

/// Copies a C string; nil for a null pointer.
func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    pointer.map { String(cString: $0) }
}

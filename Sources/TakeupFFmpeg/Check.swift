internal import CTakeupFFmpeg

/// Passes a status that is no error through and throws the others.
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

/// Throws out of memory when an allocation came back empty.
func allocated<Pointee>(
    _ pointer: UnsafeMutablePointer<Pointee>?, _ subject: String
) throws(FFmpegError) -> UnsafeMutablePointer<Pointee> {
    guard let pointer else {
        throw FFmpegError(.allocate, status: .outOfMemory, subject: subject)
    }
    return pointer
}

/// A timestamp of FFmpeg's, nil where it is the mark for none, or beyond what can be added up.
func timestamp(_ ticks: Int64) -> Int64? {
    (-(1 << 60)...(1 << 60)).contains(ticks) ? ticks : nil
}

/// Copies a C string that may be absent.
func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    pointer.map { String(cString: $0) }
}

internal import Foundation
internal import TakeupFiles
internal import TakeupTimeline

/// Changes the index of a finished MP4 in place, before the file is published.
enum MovieIndex {
    /// Shortens pictures and their companion tracks, so that they end at the given time.
    ///
    /// - Throws: `.outputFailed` if the file differs from what the muxer should have written, or
    ///   cannot be written.
    static func end(_ file: OpenFile, at end: MediaTime) throws(ExportError) {
        guard let place = place(in: file) else {
            throw .outputFailed(file.name, reason: "its index cannot be found again")
        }
        var edits = MovieEdits(try read(file, place))
        guard edits.end(at: end) else {
            throw .outputFailed(file.name, reason: "its edit lists cannot be ended at \(end)")
        }
        try write(edits.bytes, to: file, at: place.lowerBound)
    }

    /// Writes QuickTime metadata entries into the space that the muxer reserved.
    ///
    /// - Throws: `.outputFailed`, like `end(_:at:)`.
    static func put(
        _ keys: MovieKeys, into file: OpenFile, insteadOf word: String
    ) throws(ExportError) {
        guard let place = place(in: file),
            let bytes = keys.put(into: try read(file, place), insteadOf: word)
        else {
            throw .outputFailed(file.name, reason: "its index has no room for its metadata")
        }
        try write(bytes, to: file, at: place.lowerBound)
    }

    /// Returns the byte range of the `moov` box.
    private static func place(in file: OpenFile) -> Range<Int64>? {
        var offset: Int64 = 0
        let size = file.byteCount
        while offset + 8 <= size {
            var header = [UInt8](repeating: 0, count: 16)
            guard pread(file.descriptor, &header, 16, off_t(offset)) >= 8 else { return nil }
            let short = header[..<4].reduce(0) { $0 << 8 | Int64($1) }
            let long = header[8...].reduce(0) { ($0 & .max >> 8) << 8 | Int64($1) }
            let length = short == 1 ? long : short
            guard length >= 8, length <= size - offset else { return nil }
            if header[4..<8].elementsEqual("moov".utf8) { return offset..<offset + length }
            offset += length
        }
        return nil
    }

    private static func read(
        _ file: OpenFile, _ place: Range<Int64>
    ) throws(ExportError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: place.count)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                pread(
                    file.descriptor, $0.baseAddress.map { $0 + done }, $0.count - done,
                    off_t(place.lowerBound) + done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw .outputFailed(file.name, reason: "its index cannot be read again")
            }
            done += count
        }
        return bytes
    }

    private static func write(
        _ bytes: [UInt8], to file: OpenFile, at offset: Int64
    ) throws(ExportError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(
                    file.descriptor, $0.baseAddress.map { $0 + done }, $0.count - done,
                    off_t(offset) + done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw .outputFailed(
                    file.name, reason: "its index: \(String(cString: strerror(errno)))")
            }
            done += count
        }
    }
}

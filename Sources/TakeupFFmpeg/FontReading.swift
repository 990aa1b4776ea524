internal import CTakeupFFmpeg

/// What a font says of itself, as FreeType reads it.
public struct FontReading: Sendable, Equatable {
    /// The name of its family.
    public let family: String
    /// The letters that it has no glyph for, of those that were asked for.
    public let missing: [Unicode.Scalar]

    /// Whether this process can draw text: libavfilter has brought libass and FreeType along.
    public static var canDraw: Bool { takeup_draws_text() != 0 }

    /// Reads a font of any form that FreeType knows; of a collection the first one.
    ///
    /// - Parameters:
    ///   - bytes: All of its file.
    ///   - name: For messages.
    ///   - letters: Of which it may lack some.
    /// - Throws: `FFmpegError` with `.open` if it is none.
    public init(
        _ bytes: [UInt8], name: String, letters: [Unicode.Scalar] = []
    ) throws(FFmpegError) {
        var font = takeup_font()
        let numbers = letters.map(\.value)
        var lacks = [UInt8](repeating: 0, count: letters.count)
        let status = takeup_read_font(
            bytes, bytes.count, numbers, &lacks, letters.count, &font)
        guard status == 0 else {
            throw FFmpegError(.open, status: .invalidData, subject: name)
        }
        let count = Int(font.count)
        let raw = withUnsafeBytes(of: &font.family) { Array($0.prefix(count)) }
        if font.is_wide != 0 {
            let units = stride(from: 0, to: count - 1, by: 2).map {
                UInt16(raw[$0]) << 8 | UInt16(raw[$0 + 1])
            }
            family = String(decoding: units, as: UTF16.self)
        } else {
            family = String(decoding: raw, as: UTF8.self)
        }
        missing = zip(letters, lacks).filter { $0.1 != 0 }.map(\.0)
    }
}

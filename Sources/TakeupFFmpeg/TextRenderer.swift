internal import CTakeupFFmpeg

/// Lays out text of one font as libass does: lines are broken, letters joined, and directions of writing kept.
///
/// It opens no file. Confined to one lane.
public final class TextRenderer {
    /// How much of each sample of a rectangle one colour covers.
    public struct Mask: Sendable, Equatable {
        public var x: Int
        public var y: Int
        public var width: Int
        public var height: Int
        /// Rows of `width`, from 0 to 255.
        public var coverage: [UInt8]
        /// Red, green and blue, each of 8 bits.
        public var color: UInt32
        /// 0 to 1.
        public var opacity: Float
    }

    /// A name that no font has: then libass takes the font that it was given.
    public static let family = "takeup"

    private let library: OpaquePointer
    private let renderer: OpaquePointer

    /// - Parameters:
    ///   - font: All of its file.
    ///   - family: What the font calls itself.
    /// - Throws: `FFmpegError` with `.buildFilter` where libass is missing.
    public init(font: [UInt8], family: String) throws(FFmpegError) {
        guard takeup_draws_text() != 0, let library = takeup_ass_quiet_library() else {
            throw FFmpegError(.buildFilter, status: .invalidData, subject: "libass")
        }
        font.withUnsafeBytes { bytes in
            takeup_ass_add_font(
                library, "font", bytes.bindMemory(to: CChar.self).baseAddress,
                Int32(clamping: bytes.count))
        }
        guard let renderer = takeup_ass_renderer_init(library) else {
            takeup_ass_library_done(library)
            throw FFmpegError(.allocate, status: .outOfMemory, subject: "libass")
        }
        (self.library, self.renderer) = (library, renderer)
        let noFontsOfTheMachine: Int32 = 0
        takeup_ass_set_fonts(renderer, nil, family, noFontsOfTheMachine, nil, 0)
    }

    deinit {
        takeup_ass_renderer_done(renderer)
        takeup_ass_library_done(library)
    }

    /// Draws what a script shows in its first second.
    ///
    /// - Parameters:
    ///   - script: In ASS's form.
    ///   - width: The output's, in samples.
    ///   - height: The output's, in samples.
    /// - Returns: What lies in the output, from the lowest on.
    public func masks(_ script: String, width: Int, height: Int) -> [Mask] {
        takeup_ass_set_frame_size(renderer, Int32(clamping: width), Int32(clamping: height))
        takeup_ass_set_storage_size(renderer, Int32(clamping: width), Int32(clamping: height))
        var text = Array(script.utf8CString)
        guard let track = takeup_ass_read_memory(library, &text, text.count - 1, nil) else {
            return []
        }
        defer { takeup_ass_free_track(track) }
        var masks: [Mask] = []
        var next = takeup_ass_render_frame(renderer, track, 500, nil)
        while let image = next?.pointee {
            if let mask = Self.mask(image, width: width, height: height) { masks.append(mask) }
            next = image.next
        }
        return masks
    }

    /// The part of an image that lies in the output.
    private static func mask(_ image: takeup_ass_image, width: Int, height: Int) -> Mask? {
        let (left, top) = (max(0, Int(image.x)), max(0, Int(image.y)))
        let right = min(width, Int(image.x) + Int(image.w))
        let bottom = min(height, Int(image.y) + Int(image.h))
        guard left < right, top < bottom, let bitmap = image.bitmap else { return nil }
        var coverage: [UInt8] = []
        coverage.reserveCapacity((right - left) * (bottom - top))
        for row in top..<bottom {
            let start = bitmap + (row - Int(image.y)) * Int(image.stride) + (left - Int(image.x))
            coverage += UnsafeBufferPointer(start: start, count: right - left)
        }
        return Mask(
            x: left, y: top, width: right - left, height: bottom - top, coverage: coverage,
            color: image.color >> 8, opacity: Float(255 - (image.color & 0xFF)) / 255)
    }
}

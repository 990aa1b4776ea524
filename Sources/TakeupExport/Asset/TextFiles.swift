internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupModel

/// The fonts and subtitles of a composition, whole in memory, by their place among its files.
struct TextFiles: Sendable {
    /// A font, and what it calls itself.
    struct Font: Sendable {
        let name: String
        let bytes: [UInt8]
        let family: String
    }

    /// A file of cues.
    struct Cues: Sendable {
        let name: String
        let bytes: [UInt8]
        let count: Int
    }

    /// Fonts with all of Unicode have 20 to 50 MB.
    private static let largestFont = 64 << 20
    /// What all fonts together may take of memory.
    private static let mostFonts = 256 << 20
    /// A film's subtitles take 100 kB.
    private static let largestCues = 16 << 20
    /// How many letters that a font lacks a warning names.
    private static let mostNamed = 10

    private(set) var fonts: [Int: Font] = [:]
    private(set) var cues: [Int: Cues] = [:]
    private(set) var warnings: [ExportWarning] = []

    init() {}

    /// Reads all files.
    ///
    /// - Throws: `ExportError` for one that is no font or no subtitles, or cannot be read.
    init(
        _ text: ComposedText, _ assets: [Asset], _ cancellation: Cancellation
    ) throws(ExportError) {
        for (place, asset) in assets.enumerated() {
            let path = text.files[place]
            if text.subtitles.contains(where: { $0.source == path }) {
                cues[place] = try Self.cues(asset, cancellation)
            }
            let titles = text.titles.enumerated().filter { $0.element.style.font == path }
            guard !titles.isEmpty || text.subtitles.contains(where: { $0.style?.font == path })
            else { continue }
            guard FontReading.canDraw else {
                throw .unsupported(
                    asset.name,
                    reason: "text cannot be drawn: this machine's FFmpeg comes without libass")
            }
            let bytes = try Self.bytes(asset, upTo: Self.largestFont)
            guard fonts.values.map(\.bytes.count).reduce(bytes.count, +) <= Self.mostFonts else {
                throw .unsupported(
                    asset.name,
                    reason: "the timeline's fonts together are larger than "
                        + "\(Self.mostFonts >> 20) MiB")
            }
            let found = try Self.reading(bytes, asset.name, "")
            fonts[place] = Font(name: asset.name, bytes: bytes, family: found.family)
            for (number, title) in titles {
                let missing = try Self.reading(bytes, asset.name, title.text).missing
                guard !missing.isEmpty else { continue }
                let letters = missing.prefix(Self.mostNamed).map { "\(Character($0))" }
                warnings.append(
                    ExportWarning(
                        code: "lettersMissing",
                        message: "the font \(asset.name) has no sign for \(missing.count) letters "
                            + "of title \(number + 1): \(letters.joined(separator: " "))"))
            }
        }
    }

    private static func reading(
        _ bytes: [UInt8], _ name: String, _ text: String
    ) throws(ExportError) -> FontReading {
        // Letters that are seen; what only joins or directs others needs no sign.
        let letters = Set(text.unicodeScalars).filter {
            !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint
                && $0.properties.generalCategory != .format
        }
        do throws(FFmpegError) {
            return try FontReading(
                bytes, name: name, letters: letters.sorted { $0.value < $1.value })
        } catch {
            throw .unsupported(
                name, reason: "it is no font that FreeType can read, such as TrueType or OpenType")
        }
    }

    private static func cues(
        _ asset: Asset, _ cancellation: Cancellation
    ) throws(ExportError) -> Cues {
        let bytes = try Self.bytes(asset, upTo: largestCues)
        let found: (cues: Int, broken: Int)
        do throws(FFmpegError) {
            let reader = try CueReader(file: bytes, name: asset.name, cancellation: cancellation)
            var count = 0
            while try reader.next() != nil { count += 1 }
            found = (count, reader.broken)
        } catch {
            if error.status == .interrupted { throw .cancelled }
            found = (0, 0)
        }
        guard found.broken == 0 else {
            throw .unsupported(
                asset.name, reason: "\(found.broken) of its cues cannot be read; save it as UTF-8")
        }
        guard found.cues > 0 else {
            throw .notMedia(
                asset.name,
                reason: "it holds no subtitles in the form of SubRip (.srt) or WebVTT (.vtt)")
        }
        return Cues(name: asset.name, bytes: bytes, count: found.cues)
    }

    private static func bytes(_ asset: Asset, upTo most: Int) throws(ExportError) -> [UInt8] {
        let source = try asset.open().source
        guard let count = source.byteCount, count <= most else {
            throw .unsupported(asset.name, reason: "it is larger than \(most >> 20) MiB")
        }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        do throws(FFmpegError) {
            let read = try source.bytes(at: 0, into: &bytes)
            return Array(bytes.prefix(read))
        } catch {
            throw ExportError(opening: asset.name, error.status)
        }
    }
}

/// What a composition writes on its pictures, and its subtitles.
struct ComposedText: Sendable {
    var titles: [Title] = []
    var subtitles: [Subtitles] = []
    /// The fonts and subtitles that these name, each once.
    var files: [String] = []
    /// What these hold; empty while they are not read.
    var read = TextFiles()

    init() {}

    init(_ composition: Composition) {
        (titles, subtitles) = (composition.titles, composition.subtitles)
        files = composition.files
    }

    /// Whether anything is drawn into the pictures.
    var draws: Bool { !titles.isEmpty || subtitles.contains { $0.style != nil } }

    /// Which of the files one is.
    func place(of file: String) -> Int { files.firstIndex(of: file) ?? 0 }
}

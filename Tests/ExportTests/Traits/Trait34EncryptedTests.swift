import Foundation
import TakeupExport
import TestSupport
import Testing

@Suite("Trait 34: encrypted media", .tags(.media))
struct Trait34EncryptedTests {
    private func clip(fragmented: Bool) throws -> Clip {
        let key = ["-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb"]
        let kid = ["-encryption_kid", "a7e61c373e219033c21091fa607bf3b8"]
        let form = fragmented ? ["-movflags", "+frag_keyframe+empty_moov"] : []
        return try Clip.make(
            "secret.mp4",
            ["-i", try Clip.base().path, "-c", "copy", "-encryption_scheme", "cenc-aes-ctr"]
                + key + kid + form)
    }

    @Test("refused as protected, and nothing is written", arguments: [false, true])
    func refuses(fragmented: Bool) async throws {
        let clip = try clip(fragmented: fragmented)
        let trial = try ExportTrial()
        let error = try await trial.refusal([clip.path])
        guard case .contentIsProtected = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        do throws(ExportError) {
            let description = try await Asset(path: clip.path).inspect()
            #expect(description.hasProtectedContent && !description.isExportable)
        } catch {
            // FFmpeg 7 cannot open the fragmented one.
            guard fragmented, case .contentIsProtected = error else { throw error }
        }
    }

    @Test("refused even where nothing would be decoded")
    func refusesPassthrough() async throws {
        let trial = try ExportTrial()
        let error = try await trial.refusal(
            [try clip(fragmented: false).path], preset: try .named("passthrough"))
        guard case .contentIsProtected = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    /// Marks of protection on media that are none the less in the clear: what ignores the mark exports them.
    enum Mark: String, CaseIterable {
        case streamFlag, contentEncryption, contentEncoding, flashFilter, scrambledPackets
        case sampleEncryption, recording, cryptographicEssence

        func clip() throws -> Clip {
            switch self {
            case .streamFlag, .contentEncryption:
                try Self.plain("wmv", ["-c:v", "wmv2", "-c:a", "wmav2"])
                    .edited("\(rawValue).wmv", recipe: rawValue) {
                        self == .streamFlag ? Self.flagStream(&$0) : Self.insertObject(&$0)
                    }
            case .contentEncoding:
                try Self.plain("mkv", ["-c", "copy"]).edited("x.mkv", recipe: rawValue) {
                    Self.encrypt(&$0)
                }
            case .flashFilter:
                try Self.plain("flv", ["-c:v", "flv1", "-ar", "44100", "-c:a", "mp3"])
                    .edited("x.flv", recipe: rawValue) { Self.filterTags(&$0) }
            case .scrambledPackets:
                try Self.plain("ts", ["-c", "copy"]).edited("x.ts", recipe: rawValue) {
                    for place in stride(from: 0, to: $0.count - 187, by: 188)
                    where $0[place + 1] & 0x1F == 1 && $0[place + 2] == 0 { $0[place + 3] |= 0x80 }
                }
            case .sampleEncryption:
                try Self.plain("ts", ["-c", "copy"]).edited("y.ts", recipe: rawValue) {
                    Self.retype(&$0)
                }
            case .recording:
                try Self.plain(
                    "wtv",
                    ["-c:v", "mpeg2video", "-c:a", "mp2"]
                        + ["-metadata", "WM/WMRVContentProtected=true"])
            case .cryptographicEssence:
                try Self.plain("mxf", ["-c:v", "mpeg2video", "-c:a", "pcm_s16le", "-r", "25"])
                    .edited("x.mxf", recipe: rawValue) { Self.label(&$0) }
            }
        }

        private static func plain(_ suffix: String, _ codecs: [String]) throws -> Clip {
            try Clip.make("plain.\(suffix)", ["-i", try Clip.base(seconds: 1).path] + codecs)
        }

        private static func flagStream(_ bytes: inout Data) {
            let properties = Data([0x91, 0x07, 0xDC, 0xB7, 0xB7, 0xA9, 0xCF, 0x11])
            if let found = bytes.range(of: properties) { bytes[found.lowerBound + 73] |= 0x80 }
        }

        private static func insertObject(_ bytes: inout Data) {
            let object: [UInt8] = [
                0xFB, 0xB3, 0x11, 0x22, 0x23, 0xBD, 0xD2, 0x11, 0xB4, 0xB7, 0x00, 0xA0, 0xC9,
                0x55, 0xFC, 0x6E, 40, 0, 0, 0, 0, 0, 0, 0,
            ]
            let size = (0..<4).reduce(0) { $0 | Int(bytes[16 + $1]) << (8 * $1) } + 40
            for place in 0..<4 { bytes[16 + place] = UInt8(size >> (8 * place) & 0xFF) }
            bytes[24] += 1
            bytes.insert(contentsOf: object + [UInt8](repeating: 0, count: 16), at: 30)
        }

        /// Puts a content encoding of type 1 in the place of the track's number of eight bytes.
        private static func encrypt(_ bytes: inout Data) {
            guard let found = bytes.range(of: Data([0x73, 0xC5, 0x88])) else { return }
            bytes.replaceSubrange(
                found.lowerBound..<found.lowerBound + 11,
                with: [0x6D, 0x80, 0x88, 0x62, 0x40, 0x85, 0x50, 0x33, 0x82, 0x00, 0x01])
        }

        private static func filterTags(_ bytes: inout Data) {
            var place = 13
            while place + 11 < bytes.count {
                if [8, 9].contains(bytes[place]) { bytes[place] |= 0x20 }
                place += 15 + bytes[(place + 1)...(place + 3)].reduce(0) { $0 << 8 | Int($1) }
            }
        }

        /// Gives the pictures the stream type of sample encryption in every programme map.
        private static func retype(_ bytes: inout Data) {
            for place in stride(from: 0, to: bytes.count - 187, by: 188)
            where bytes[place + 1] & 0x1F == 0x10 && bytes[place + 2] == 0 {
                let start = place + 5
                let length = Int(bytes[start + 1] & 0x0F) << 8 | Int(bytes[start + 2])
                guard bytes[start] == 2, bytes[start + 12] == 0x1B else { continue }
                bytes[start + 12] = 0xDB
                let end = start + 3 + length - 4
                let sum = checksum(bytes[start..<end])
                for byte in 0..<4 { bytes[end + byte] = UInt8(sum >> (24 - 8 * byte) & 0xFF) }
            }
        }

        /// - Note: Source: ISO/IEC 13818-1, annex A.
        private static func checksum(_ bytes: Data) -> UInt32 {
            bytes.reduce(0xFFFF_FFFF) { sum, byte in
                (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in
                    sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1
                }
            }
        }

        /// Puts the label of encrypted essence into the header's first filling.
        private static func label(_ bytes: inout Data) {
            let filling = Data([0x06, 0x0E, 0x2B, 0x34, 0x01, 0x01, 0x01, 0x02, 0x03, 0x01, 0x02])
            guard let found = bytes.range(of: filling) else { return }
            bytes.replaceSubrange(
                found.lowerBound + 24..<found.lowerBound + 40,
                with: [
                    0x06, 0x0E, 0x2B, 0x34, 0x04, 0x01, 0x01, 0x07, 0x0D, 0x01, 0x03, 0x01, 0x02,
                    0x0B, 0x01, 0x00,
                ])
        }
    }

    @Test("every container's mark is refused under every policy", arguments: Mark.allCases)
    func refusesMarks(mark: Mark) async throws {
        let clip = try mark.clip()
        let description = try await Asset(path: clip.path).inspect()
        #expect(description.hasProtectedContent && !description.isExportable, "\(mark)")
        for policy in ExportSettings.OnTruncated.allCases {
            for preset in ["low", "passthrough"] {
                let trial = try ExportTrial()
                var settings = ExportTrial.settings(onTruncated: policy)
                settings.verification = .none
                let error = try await trial.refusal(
                    [clip.path], preset: .named(preset), settings: settings)
                guard case .contentIsProtected = error else {
                    Issue.record("\(mark), \(policy), \(preset): \(String(describing: error))")
                    continue
                }
            }
        }
    }
}

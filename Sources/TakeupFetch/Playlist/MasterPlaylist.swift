/// A playlist that offers the same presentation in several sizes and languages.
public struct MasterPlaylist: Equatable, Sendable {
    public var variants: [Variant]
    public var renditions: [Rendition]

    /// One choice of picture size and bit rate.
    public struct Variant: Equatable, Sendable {
        /// The address as written, not yet resolved or checked.
        public var uri: String
        /// Peak bit rate, in bits per second.
        public var bandwidth: Int64
        /// Picture width in pixels; nil if not stated.
        public var width: Int?
        public var height: Int?
        /// Codecs in RFC 6381 notation; empty if not stated.
        public var codecs: [String]
        /// The group of audio renditions for this variant.
        public var audioGroup: String?

        /// Whether all codecs are stated and none is a video codec.
        public var isSoundAlone: Bool {
            width == nil && !codecs.isEmpty && codecs.allSatisfy(Self.isSound)
        }

        /// Whether all codecs are stated and none is an audio codec.
        public var isSilent: Bool { !codecs.isEmpty && !codecs.contains(where: Self.isSound) }

        private static func isSound(_ codec: String) -> Bool {
            ["mp4a", "ac-3", "ec-3", "ac-4", "opus", "flac", "fLaC", "Opus", "alac"]
                .contains { codec.hasPrefix($0) }
        }
    }

    /// An alternative version of the audio, video or subtitles.
    public struct Rendition: Equatable, Sendable {
        public var kind: Kind
        public var group: String
        public var name: String
        /// The address; nil if the rendition is part of the variant's own stream.
        public var uri: String?
        /// The language tag (RFC 5646).
        public var language: String?
        public var isDefault: Bool
        public var isAutomatic: Bool
    }

    /// The kind of media of a rendition.
    public enum Kind: String, Sendable {
        case audio = "AUDIO"
        case video = "VIDEO"
        case subtitles = "SUBTITLES"
        case closedCaptions = "CLOSED-CAPTIONS"
    }
}

/// The same presentation in several sizes and languages.
public struct MasterPlaylist: Equatable, Sendable {
    public var variants: [Variant]
    public var renditions: [Rendition]

    /// One choice of picture, size and bit rate.
    public struct Variant: Equatable, Sendable {
        /// As written: still to be resolved and vetted.
        public var uri: String
        /// Peak, bits per second.
        public var bandwidth: Int64
        /// In pixels; nil when it is not told.
        public var width: Int?
        public var height: Int?
        /// As RFC 6381 names them; empty when they are not told.
        public var codecs: [String]
        /// The group of renditions that its sound is chosen from.
        public var audioGroup: String?

        /// Whether all its codecs are told and none is a picture's.
        public var isSoundAlone: Bool {
            width == nil && !codecs.isEmpty && codecs.allSatisfy(Self.isSound)
        }

        /// Whether all its codecs are told and none is a sound's.
        public var isSilent: Bool { !codecs.isEmpty && !codecs.contains(where: Self.isSound) }

        private static func isSound(_ codec: String) -> Bool {
            ["mp4a", "ac-3", "ec-3", "ac-4", "opus", "flac", "fLaC", "Opus", "alac"]
                .contains { codec.hasPrefix($0) }
        }
    }

    /// A version of the sound, the picture or the subtitles.
    public struct Rendition: Equatable, Sendable {
        public var kind: Kind
        public var group: String
        public var name: String
        /// nil when it is part of the variant's own stream.
        public var uri: String?
        /// As RFC 5646 names it.
        public var language: String?
        public var isDefault: Bool
        public var isAutomatic: Bool
    }

    /// What a rendition is a version of.
    public enum Kind: String, Sendable {
        case audio = "AUDIO"
        case video = "VIDEO"
        case subtitles = "SUBTITLES"
        case closedCaptions = "CLOSED-CAPTIONS"
    }
}

internal import CTakeupFFmpeg

/// The loudspeaker position of each channel.
public struct ChannelLayout: Sendable, Hashable {
    public let channels: Int
    /// FFmpeg's name, for example `5.1(side)`; nil if only the channel count is known.
    public let name: String?
    /// Whether the channels form an Ambisonics sound field instead of loudspeakers; the first
    /// channel is omnidirectional.
    public let isAmbisonic: Bool

    public init(channels: Int, name: String?, isAmbisonic: Bool = false) {
        self.channels = channels
        self.name = name
        self.isAmbisonic = isAmbisonic
    }

    /// Returns the usual layout for a number of channels.
    public static func standard(_ channels: Int) -> ChannelLayout {
        var layout = AVChannelLayout()
        av_channel_layout_default(&layout, Int32(channels))
        defer { av_channel_layout_uninit(&layout) }
        return ChannelLayout(layout)
    }

    init(_ layout: AVChannelLayout) {
        channels = Int(layout.nb_channels)
        isAmbisonic = layout.order == AV_CHANNEL_ORDER_AMBISONIC
        guard layout.order == AV_CHANNEL_ORDER_NATIVE || layout.order == AV_CHANNEL_ORDER_CUSTOM
        else {
            name = nil
            return
        }
        var layout = layout
        name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let base = buffer.baseAddress,
                av_channel_layout_describe(&layout, base, 256) > 0
            else { return nil }
            return String(cString: base)
        }
    }

    func copy(to target: inout AVChannelLayout) throws(FFmpegError) {
        if let name, av_channel_layout_from_string(&target, name) >= 0 { return }
        // Leave the order unspecified as decoders do: a filter refuses frames whose layout differs
        // from its own.
        target = AVChannelLayout()
        target.order = AV_CHANNEL_ORDER_UNSPEC
        target.nb_channels = Int32(channels)
    }
}

extension ChannelLayout {
    /// The channel names in order, for example `FL`, `FR`, `LFE`; empty if the layout has no name.
    public var channelNames: [String] {
        guard let name else { return [] }
        var layout = AVChannelLayout()
        guard av_channel_layout_from_string(&layout, name) >= 0 else { return [] }
        defer { av_channel_layout_uninit(&layout) }
        return (0..<UInt32(channels)).compactMap { place in
            let channel = av_channel_layout_channel_from_index(&layout, place)
            return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
                guard let base = buffer.baseAddress, av_channel_name(base, 32, channel) > 0 else {
                    return nil
                }
                return String(cString: base)
            }
        }
    }
}

internal import Foundation
internal import TakeupFFmpeg
internal import TakeupTimeline

/// Builds the filter chain that converts one source's sound to the output's format.
///
/// For Ambisonics, the first channel, which is omnidirectional, goes unchanged to each front
/// loudspeaker. The other channels only carry directions, and are dropped.
struct SoundChain {
    /// -3 dB, for a channel that two loudspeakers share.
    ///
    /// - Note: Source: ITU-R BS.775, downmixing.
    private static let shared = 0.7071

    let format: AudioFormat
    let encoding: AudioEncoding
    /// How many times faster the sound plays; nil leaves it.
    var speed: Ratio?
    /// Whether its pitch follows the speed; else it is kept.
    var followsPitch = false

    /// The chain, for example `pan=stereo|…,aresample=48000,aformat=…`.
    var text: String {
        var steps: [String] = []
        let names = channelNames
        if format.layout.isAmbisonic {
            steps.append(frontMix)
        } else if names != outputNames, let mix = matrix(names) {
            steps.append(mix)
        }
        if format.sampleRate != encoding.sampleRate {
            steps.append("aresample=\(encoding.sampleRate)")
        }
        steps += followsPitch ? varispeed : tempos
        steps.append(
            "aformat=sample_fmts=fltp:sample_rates=\(encoding.sampleRate)"
                + ":channel_layouts=\(encoding.channelLayout)")
        return steps.joined(separator: ",")
    }

    /// The filters that change the speed: beyond 0.5 to 2, one filter would leave out or lose sound.
    private var tempos: [String] {
        guard var rest = speed?.doubleValue, rest > 0 else { return [] }
        var factors: [Double] = []
        while rest > 2 {
            factors.append(2)
            rest /= 2
        }
        while rest < 0.5 {
            factors.append(0.5)
            rest *= 2
        }
        return (factors + [rest]).flatMap { ["adelay=\(lead)S:all=1", "atempo=\($0)"] }
    }

    /// How many samples of its input `atempo` is early: half of its window.
    ///
    /// - Note: Source: FFmpeg 5.1, `af_atempo.c`: the window is the next power of 2 from 1/24 s on. Measured, too: 21 ms at
    ///   48 kHz, whatever the factor, with the few milliseconds by which the filter chooses its cuts.
    private var lead: Int {
        var window = 1
        while window < encoding.sampleRate / 24 { window *= 2 }
        return window / 2
    }

    /// The filters that play the sound faster as a tape does: at another rate, which is then converted.
    ///
    /// Rates are whole, so that 1,000 s are wrong by at most 11 ms; the segment still ends at its exact sample.
    private var varispeed: [String] {
        guard let speed = speed?.doubleValue, speed > 0 else { return [] }
        let rate = max(1, Int((Double(encoding.sampleRate) * speed).rounded()))
        // Another rate needs a layout that is stated.
        return [
            "aformat=channel_layouts=\(encoding.channelLayout)", "asetrate=\(rate)",
            "aresample=\(encoding.sampleRate)",
        ]
    }

    private static let names51 = ["FL", "FR", "FC", "LFE", "BL", "BR"]

    private var channelNames: [String] {
        let names = format.layout.channelNames
        return names.isEmpty ? ChannelLayout.standard(format.layout.channels).channelNames : names
    }

    private var outputNames: [String] {
        switch encoding.channels {
        case 1: ["FC"]
        case 2: ["FL", "FR"]
        default: Self.names51
        }
    }

    /// Attenuation of the mix that prevents clipping, in decibels; 0 for none.
    var attenuation: Double {
        let names = channelNames
        guard !format.layout.isAmbisonic, names != outputNames,
            names.count == format.layout.channels
        else { return 0 }
        return 20 * log10(max(1, loudest(names)))
    }

    private func gains(_ names: [String]) -> [[Double]] {
        outputNames.map { output in
            names.map { Self.gain($0, into: output, names, outputNames) }
        }
    }

    private func loudest(_ names: [String]) -> Double {
        gains(names).map { $0.reduce(0, +) }.max() ?? 1
    }

    /// Returns the level of each source channel in each output channel, scaled so that nothing can
    /// clip.
    private func matrix(_ names: [String]) -> String? {
        guard names.count == format.layout.channels, !names.isEmpty else {
            return plainMix
        }
        let scale = max(1, loudest(names))
        let rows = gains(names).map { $0.map { $0 / scale } }
        guard rows.contains(where: { $0.contains { $0 > 0 } }) else { return plainMix }
        let terms = zip(outputNames.indices, rows).map { output, gains in
            let parts = gains.enumerated().filter { $0.element > 0 }.map {
                "\(Self.decimal($0.element))*c\($0.offset)"
            }
            return "c\(output)=" + (parts.isEmpty ? "0*c0" : parts.joined(separator: "+"))
        }
        return "pan=\(encoding.channelLayout)|" + terms.joined(separator: "|")
    }

    /// The mix for Ambisonics: the first channel on the front loudspeakers.
    private var frontMix: String {
        let terms = outputNames.enumerated().map { place, name in
            "c\(place)=" + (["FL", "FR", "FC"].contains(name) ? "c0" : "0*c0")
        }
        return "pan=\(encoding.channelLayout)|" + terms.joined(separator: "|")
    }

    /// The mix for layouts without names: the first channels unchanged.
    private var plainMix: String? {
        let count = format.layout.channels
        guard count > 0 else { return nil }
        let terms = outputNames.indices.map { "c\($0)=" + ($0 < count ? "c\($0)" : "0*c0") }
        return "pan=\(encoding.channelLayout)|" + terms.joined(separator: "|")
    }

    private static func decimal(_ value: Double) -> String {
        let digits = String(Int((value * 1_000_000).rounded()))
        let padded = String(repeating: "0", count: max(0, 7 - digits.count)) + digits
        return padded.dropLast(6) + "." + padded.suffix(6)
    }

    private static func gain(
        _ channel: String, into output: String, _ names: [String], _ outputs: [String]
    ) -> Double {
        if channel == output { return 1 }
        if outputs.count == 1 { return monoGain(channel) }
        let side = channel.hasSuffix("L") ? "L" : (channel.hasSuffix("R") ? "R" : "")
        if outputs.count > 2 { return surroundGain(channel, output, side, names) }
        switch channel {
        case "FC", "BC", "TC": return shared
        case "FLC", "FRC": return output == (channel == "FLC" ? "FL" : "FR") ? 1 : 0
        case "LFE", "LFE2": return 0
        case "DL", "DR": return output == (channel == "DL" ? "FL" : "FR") ? 1 : 0
        default: return side.isEmpty || output.hasSuffix(side) ? shared : 0
        }
    }

    private static func monoGain(_ channel: String) -> Double {
        switch channel {
        case "LFE", "LFE2": 0
        case "FC": 1
        case "FL", "FR", "DL", "DR": shared
        default: 0.5
        }
    }

    private static func surroundGain(
        _ channel: String, _ output: String, _ side: String, _ names: [String]
    ) -> Double {
        switch (channel, output) {
        case ("BC", "BL"), ("BC", "BR"): return shared
        case ("FLC", "FL"), ("FRC", "FR"), ("DL", "FL"), ("DR", "FR"): return shared
        case ("SL", "BL"), ("SR", "BR"): return names.contains("BL") ? shared : 1
        case ("LFE2", "LFE"): return 1
        default:
            let isPlaced =
                names51.contains(channel)
                || ["BC", "SL", "SR", "FLC", "FRC", "LFE2"].contains(channel)
            return !isPlaced && output == "F\(side.isEmpty ? "C" : side)" ? shared : 0
        }
    }
}

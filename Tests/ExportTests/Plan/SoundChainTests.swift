import TakeupFFmpeg
import TakeupTimeline
import Testing

@testable import TakeupExport

@Suite("SoundChain")
struct SoundChainTests {
    private func chain(
        _ layout: ChannelLayout, rate: Int = 48_000, to output: Int = 2
    ) -> String {
        let names = [1: "mono", 2: "stereo", 6: "5.1"]
        return SoundChain(
            format: AudioFormat(sampleRate: rate, sampleFormat: .floatPlanar, layout: layout),
            encoding: AudioEncoding(
                encoder: "aac", sampleRate: 48_000, channelLayout: names[output] ?? "",
                channels: output, bitRate: 128_000)
        ).text
    }

    private static let stereoFormat =
        "aformat=sample_fmts=fltp:sample_rates=48000:channel_layouts=stereo"

    @Test("sound that is right already only names its format")
    func untouched() {
        #expect(chain(.standard(2)) == Self.stereoFormat)
        #expect(chain(.standard(2), rate: 44_100) == "aresample=48000,\(Self.stereoFormat)")
        #expect(!chain(ChannelLayout(channels: 2, name: nil)).contains("pan"))
    }

    @Test(
        "another speed takes filters of 0.5 to 2 each",
        arguments: [
            (Ratio(2, 1), "atempo=2.0"), (Ratio(1, 2), "atempo=0.5"),
            (Ratio(5, 1), "atempo=2.0,atempo=2.0,atempo=1.25"),
            (Ratio(1, 5), "atempo=0.5,atempo=0.5,atempo=0.8"), (Ratio(5, 4), "atempo=1.25"),
        ])
    func speed(speed: Ratio, tempos: String) {
        let chain = SoundChain(
            format: AudioFormat(
                sampleRate: 44_100, sampleFormat: .floatPlanar, layout: .standard(2)),
            encoding: AudioEncoding(
                encoder: "aac", sampleRate: 48_000, channelLayout: "stereo", channels: 2,
                bitRate: 128_000), speed: speed)
        // Each is early by half of its window of 2,048 samples.
        let timed = tempos.split(separator: ",").map { "adelay=1024S:all=1,\($0)" }
        #expect(
            chain.text
                == "aresample=48000,\(timed.joined(separator: ",")),\(Self.stereoFormat)")
    }

    @Test("5.1 goes to stereo by BS.775, without the bass channel and without clipping")
    func downmix() throws {
        let text = chain(ChannelLayout(channels: 6, name: "5.1"))
        // 1 + 0.7071 + 0.7071 is brought down to 1.
        #expect(
            text.hasPrefix(
                "pan=stereo|c0=0.414216*c0+0.292892*c2+0.292892*c4"
                    + "|c1=0.414216*c1+0.292892*c2+0.292892*c5,"))
        #expect(!text.contains("c3"))
    }

    @Test(
        "no mix can clip, and every loudspeaker is heard but the bass",
        arguments: [
            ("mono", 1), ("stereo", 2), ("downmix", 2), ("2.1", 3), ("3.0", 3), ("3.0(back)", 3),
            ("4.0", 4), ("quad", 4), ("quad(side)", 4), ("5.0", 5), ("5.0(side)", 5), ("5.1", 6),
            ("5.1(side)", 6), ("6.0", 6), ("6.1", 7), ("7.0", 7), ("7.1", 8), ("7.1(wide)", 8),
            ("octagonal", 8), ("hexadecagonal", 16),
        ])
    func layouts(name: String, channels: Int) throws {
        let probe = ChannelLayout(channels: channels, name: name)
        for output in [1, 2, 6] {
            let text = chain(probe, to: output)
            guard let mix = text.split(separator: ",").first(where: { $0.hasPrefix("pan=") })
            else { continue }
            var heard: Set<Substring> = []
            for row in mix.split(separator: "|").dropFirst() {
                let terms = row.split(separator: "=")[1].split(separator: "+")
                let gains = terms.map { $0.split(separator: "*") }
                let total = gains.reduce(0) { $0 + (Double($1[0]) ?? 9) }
                #expect(total <= 1.00001, "\(name) to \(output): \(row)")
                heard.formUnion(gains.filter { $0[0] != "0" }.map { $0[1] })
            }
            let silent = probe.channelNames.indices.filter { !heard.contains("c\($0)") }
            #expect(
                silent.allSatisfy { probe.channelNames[$0].hasPrefix("LFE") },
                "\(name) to \(output)")
            #expect(throws: Never.self) {
                _ = try FilterGraph(
                    audio: AudioFormat(
                        sampleRate: 48_000, sampleFormat: .floatPlanar, layout: probe),
                    timeBase: TimeBase(1, 48_000), chain: text)
            }
        }
    }

    @Test("channels that nobody named are taken in their order")
    func unnamed() {
        let text = chain(ChannelLayout(channels: 11, name: nil))
        #expect(text.hasPrefix("pan=stereo|c0=c0|c1=c1,"))
    }
}

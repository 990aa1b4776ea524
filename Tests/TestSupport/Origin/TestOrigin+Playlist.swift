extension TestOrigin {
    /// Serves a master playlist of several sizes at `/master.m3u8`, each a clip of its own by its height.
    public func servePlaylist(_ clips: [Int: [UInt8]]) {
        var master = ["#EXTM3U"]
        for (height, bytes) in clips.sorted(by: { $0.key < $1.key }) {
            master += [
                "#EXT-X-STREAM-INF:BANDWIDTH=\(height),RESOLUTION=\(height * 16 / 9)x\(height)",
                "\(height).m3u8",
            ]
            let media = [
                "#EXTM3U", "#EXT-X-TARGETDURATION:4", "#EXTINF:4,", "\(height).mp4",
                "#EXT-X-ENDLIST",
            ]
            serve("/\(height).m3u8", lines: media)
            serve("/\(height).mp4", OriginObject(.bytes(bytes)))
        }
        serve("/master.m3u8", lines: master)
    }

    private func serve(_ path: String, lines: [String]) {
        serve(path, OriginObject(.bytes(Array(lines.joined(separator: "\n").utf8))))
    }
}

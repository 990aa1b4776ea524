/// Options of ffmpeg and HandBrakeCLI that Takeup has not, each with Takeup's own way.
enum Habit {
    /// What to write instead of a word such as `-crf`, `-c:v` or `--quality`; nil for a word of nobody's.
    static func hint(for word: String) -> String? {
        let dashes = word.prefix { $0 == "-" }
        let name = String(word.dropFirst(dashes.count).prefix { $0 != "=" })
        guard (1...2).contains(dashes.count), !name.isEmpty else { return nil }
        // `-c:v`, `-b:a` and `-filter:v` name a stream behind the colon.
        let stem = String(name.prefix { $0 != ":" })
        // HandBrakeCLI tells `-q` from `--q`; single letters are never long names.
        guard dashes.count == 1 || name.count > 1 else { return nil }
        return hints[name] ?? (stem == name ? nil : hints[stem])
    }

    private static let hints: [String: String] = {
        var hints: [String: String] = [:]
        for (names, hint) in table {
            for name in names.split(separator: " ") { hints[String(name)] = hint }
        }
        return hints
    }()

    private static func field(_ names: String) -> String {
        "the preset sets this (\(names)): save 'takeup presets show medium' as mine.json,"
            + " change the field in mine.json and give --preset mine.json"
    }

    private static let table: [(names: String, hint: String)] = [
        ("i input", "write the file alone, without -i: takeup export INPUT -o OUT"),
        ("y", "write --overwrite replace to replace an existing output"),
        ("n", "leave it out: Takeup keeps an existing output without --overwrite"),
        ("ss start-at seek", "write --start T"),
        ("t", "write --duration T"),
        ("to stop-at", "write --end T"),
        (
            "vf filter filter_complex lavfi s w l width height maxWidth maxHeight X Y crop rotate",
            "the preset says the size, such as --preset 1280x720; 'takeup presets list' names them"
        ),
        ("crf quality q qscale cq qp", field("video.crf")),
        (
            "r rate cfr vfr pfr fps_mode vsync framerate",
            field("video.frameRate, video.maxFrameRate")
        ),
        ("g keyint", field("video.keyframeSeconds")),
        ("Z", "write --preset NAME; 'takeup presets list' names them"),
        (
            "tune encoder-preset encoder-tune profile pix_fmt",
            field("video.speed, video.profile, video.bitDepth, video.tune")
        ),
        (
            "c codec vcodec acodec e E encoder aencoder",
            "the preset says the codecs; tracks that suit it are copied,"
                + " and --preset passthrough copies all"
        ),
        (
            "b vb ab B maxrate bufsize 2 two-pass multi-pass pass",
            "bit rates are fields of the preset; --size-limit 25MB limits the whole file"
        ),
        ("vn", "write sound alone with an output that ends in .m4a: -o OUT.m4a"),
        ("an sn dn a audio-tracks subtitle", field("audio.tracks, subtitles")),
        ("ac ar 6 R mixdown arate", field("audio.maxChannels, audio.maxSampleRate")),
        ("map", "give the files: --video FILE for the pictures, --audio FILE for the sound"),
        ("f format", "the output's name says it: .mp4, .m4v or .m4a"),
        ("movflags O optimize", "outputs are made for streaming already (fastStart)"),
        (
            "threads",
            "an export uses the cores that there are; --workers N is the number of jobs at once"
        ),
        ("loglevel hide_banner stats nostdin", "write --verbose for more words, --quiet for fewer"),
    ]
}

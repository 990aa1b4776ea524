extension ExportCommand {
    static let specification = CommandSpecification(
        name: "export",
        summary: "Export media to an MP4 file",
        details: """
            Several INPUTs are joined in order. The output appears under its name only once it is \
            complete and verified. T is seconds (12.5), a clock time (1:02:03.250) or an exact \
            fraction (1001/30000).
            """,
        notes: """
            A truncated or damaged source fails unless --on-truncated salvage is given.
            """,
        argument: ArgumentSpecification(
            name: "INPUT", count: 0...10_000, completion: .file,
            help: "Media files, their http and https addresses, or a timeline"),
        options: outputOptions + ExportOptions.specifications + ExportOptions.template
            + [ExportOptions.dryRun]
            + trackOptions + NetworkOptions.specifications,
        essentials: [
            "output", "preset", "start", "end", "duration", "overwrite", "size-limit", "metadata",
            "dry-run", "template", "music", "video", "audio",
        ],
        examples: [
            .init(
                line: "takeup export clip.mov -o clip.mp4 --preset 1280x720",
                effect: "at most 1280x720, H.264 and AAC"),
            .init(
                line: "takeup export talk.mkv -o talk.mp4 --start 1:30 --duration 20",
                effect: "twenty seconds from 1:30 on"),
            .init(
                line: "takeup export a.mp4 b.mp4 -o both.mp4 --size-limit 25MB",
                effect: "two files joined, in at most 25,000,000 bytes"),
            .init(
                line: "takeup export a.mov b.mov c.mov --template stories --music m.mp3 -o s.mp4",
                effect: "an upright story, with music under it"),
            .init(
                line: "takeup export https://example.com/clip.mov -o clip.mp4",
                effect: "exports while it downloads"),
            .init(
                line: "takeup export clip.mov -o s3://films/clip.mp4",
                effect: "uploads it once it is verified"),
            .init(
                line: "takeup export clip.mov -o clip.mp4 --dry-run",
                effect: "print the plan and write nothing"),
            .init(
                line: "takeup export story.takeup.json --dry-run=svg > story.svg",
                effect: "draw the timeline"),
        ],
        worksOnMedia: true,
        make: { input throws(UsageError) in try ExportCommand(input) })

    private static let outputOptions: [OptionSpecification] = [
        OptionSpecification(
            name: "output", short: "o", valueName: "OUT", isRequired: true, completion: .file,
            help: "File or s3://BUCKET/KEY to write (.mp4, .m4v, .m4a), or a folder for a file"
                + " named after INPUT")
    ]

    private static let trackOptions: [OptionSpecification] = [
        OptionSpecification(
            name: "video", valueName: "FILE", completion: .file,
            help: "Take the pictures from FILE"),
        OptionSpecification(
            name: "audio", valueName: "FILE", completion: .file, help: "Take the sound from FILE"),
        OptionSpecification(
            name: "poster", valueName: "FILE", completion: .file,
            help: "Also write a representative frame (.jpg, .jpeg, .png)"),
    ]
}

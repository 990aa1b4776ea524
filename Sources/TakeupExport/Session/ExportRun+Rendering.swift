internal import TakeupFFmpeg
internal import TakeupFiles
internal import TakeupOutput

extension ExportRun {
    /// Renders the whole plan; stops with `.sizeLimitUnreachable` beyond a byte limit.
    func renderOnce(
        into output: OpenFile, rate: VideoEncoderOptions.RateControl = .quality,
        byteLimit: Int64? = nil
    ) throws(ExportError) -> PassResult {
        if let reserve = IndexReserve.bytes(plan, inputs.assets) {
            do throws(ExportError) {
                return try renderOnce(
                    into: output, rate, byteLimit, options: muxerOptions(reserve: reserve))
            } catch {
                // The space reserved for the index was too small; the muxer reports this only at
                // the end.
                guard case .media(let fault, .mux) = error,
                    fault.operation == FFmpegError.Operation.finish.rawValue,
                    fault.code == FFmpegStatus.invalidArgument.rawValue
                else { throw error }
                try ExportError.files(output.truncate)
            }
        }
        return try renderOnce(into: output, rate, byteLimit, options: muxerOptions(reserve: nil))
    }

    private func renderOnce(
        into output: OpenFile, _ rate: VideoEncoderOptions.RateControl, _ byteLimit: Int64?,
        options: [String: String]
    ) throws(ExportError) -> PassResult {
        let muxer = try makeMuxer(output)
        // A pass with a limit has its own stop flag, so that another pass can follow.
        let pass = RenderPass(
            inputs, plan: plan, rate: rate, byteLimit: byteLimit,
            control: byteLimit == nil ? control : RunControl(control.cancellation),
            progress: progress, muxer: muxer)
        let result = try pass.run(muxerOptions: options)
        progress.again()
        do throws(FFmpegError) {
            try muxer.finish { [progress, control] share in
                progress.reach(share: share)
                return !control.isStopped
            }
        } catch {
            throw ExportError(error, .mux)
        }
        if let end = result.written.compactMap(\.shortenedEnd).min() {
            try MovieIndex.end(output, at: end)
        }
        if let (keys, room) = keysWithRoom {
            try MovieIndex.put(keys, into: output, insteadOf: room.word)
        }
        return result
    }

    /// The QuickTime metadata entries, and the placeholder that reserves their space.
    private var keysWithRoom: (keys: MovieKeys, room: (word: String, value: String))? {
        guard let keys = MovieKeys(plan.quickTimeKeys),
            let room = keys.placeholder(beside: plan.metadata)
        else { return nil }
        return (keys, room)
    }

    private func makeMuxer(_ output: OpenFile) throws(ExportError) -> Muxer {
        do throws(FFmpegError) {
            let muxer = try Muxer(
                format: plan.container.muxer, descriptor: output.descriptor, name: output.name)
            muxer.setMetadata(plan.metadata)
            if let (_, room) = keysWithRoom { muxer.setMetadata([room.word: room.value]) }
            for chapter in plan.chapters {
                try muxer.addChapter(
                    start: chapter.start, end: chapter.end, title: chapter.title)
            }
            return muxer
        } catch {
            throw ExportError(error, .mux)
        }
    }

    /// Ticks per second of the edit lists; FFmpeg's default of 1,000 would cut off a last packet of
    /// few samples.
    private var movieTimescale: Int {
        guard let audio = plan.audio.first else { return 90_000 }
        if case .encode(let encoding) = audio.mode { return encoding.sampleRate }
        let segment = audio.segments[0]
        let track = inputs.assets[segment.source].description.tracks.first {
            $0.index == segment.track
        }
        return max(1_000, track?.audio?.sampleRate ?? 48_000)
    }

    /// Either reserves space for the index before the media, or lets the muxer move the media at
    /// the end.
    private func muxerOptions(reserve: Int?) -> [String: String] {
        var options = [
            "fflags": "+bitexact", "strict": "experimental", "movie_timescale": "\(movieTimescale)",
        ]
        if let reserve {
            options["moov_size"] = String(reserve)
        } else if plan.fastStart {
            options["movflags"] = "+faststart"
        }
        return options
    }
}

extension ContainerFormat {
    /// FFmpeg's name of the muxer.
    var muxer: String {
        switch self {
        case .mp4: "mp4"
        case .m4a: "ipod"
        }
    }
}

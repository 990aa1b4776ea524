internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

extension ExportSession {
    /// Fraction of the progress that measuring takes: beside pictures, and without them.
    private static let measuringShares = (beside: 0.1, alone: 0.4)

    /// Inspects the assets, and finds out what a plan needs to know of their content.
    ///
    /// - Parameter progress: Told while sound is measured.
    /// - Returns: A planner that has not planned yet.
    /// - Throws: `ExportError` for an asset that cannot be opened or does not suit the preset.
    func prepare(
        _ progress: ProgressMeter
    ) async throws(ExportError) -> (planner: ExportPlanner, inputs: RunInputs) {
        guard !assets.isEmpty else {
            throw .invalidRequest(
                reason: "it has no sources", hint: "give one, or several that are joined")
        }
        var inspected: [InspectedAsset] = []
        var sources: [OpenedSource] = []
        var places: [Range<Int>] = []
        let files = OpenFiles()
        for asset in assets {
            guard !cancellation.isCancelled else { throw .cancelled }
            let found = try await asset.inspected(cancellation)
            sources += try asset.open(found, within: files)
            inspected += found.parts.map(\.asset)
            places.append(inspected.count - found.parts.count..<inspected.count)
        }
        var inputs = RunInputs(sources: sources, assets: inspected)
        var text = text
        if !textAssets.isEmpty {
            text.read = try await reading {
                [text, textAssets, cancellation] () throws(ExportError) in
                try TextFiles(text, textAssets, cancellation)
            }
            inputs.texts = text.read
        }
        var counted = try clips.map { (clip) throws(ExportError) in
            let source = clip.videoSource ?? clip.audioSource
            return try clip.countedFromStart(of: source.map { inspected[places[$0].lowerBound] })
        }
        var settings = settings
        if let range = lonePart(counted) {
            (counted[0].range, settings.timeRange) = (nil, range.part(settings.timeRange))
        }
        let clips = try counted.map { (clip) throws(ExportError) in
            try clip.parts(places, assets.map(\.name))
        }.flatMap(\.self)
        func planner(_ settings: ExportSettings) -> ExportPlanner {
            var planner = ExportPlanner(
                assets: inspected, clips: clips, volumes: volumes, background: background,
                preset: preset, settings: settings)
            (planner.duckings, planner.loops, planner.text) = (duckings, loops, text)
            return planner
        }
        var next = planner(settings)
        var first = next
        let plan = try first.plan()
        if let wish = first.seamWish {
            next.seams = try await seams(wish, inputs)
        } else if let range = settings.timeRange, let snapped = try await snap(plan, range, inputs)
        {
            var settings = settings
            settings.timeRange = snapped
            next = planner(settings)
            next.noteCut(asked: range, snapped: snapped)
        }
        try await measure(&next, inputs, progress)
        return (next, inputs)
    }

    /// The range of a timeline that is one part of one source and nothing more, for a preset that copies: cut as a range is.
    private func lonePart(_ clips: [Clip]) -> TimeRange? {
        guard preset.video?.codec == .copy || preset.audio?.codec == .copy, clips.count == 1,
            volumes.isEmpty, background == nil
        else { return nil }
        var plain = clips[0]
        plain.range = nil
        return plain == Clip(videoSource: 0, audioSource: 0) ? clips[0].range : nil
    }

    /// Measures the sound that others duck under, and all sound if the preset asks for a loudness.
    private func measure(
        _ planner: inout ExportPlanner, _ inputs: RunInputs, _ progress: ProgressMeter
    ) async throws(ExportError) {
        let pass = SoundMeasurement(inputs: inputs, cancellation: cancellation, progress: progress)
        if !duckings.isEmpty {
            let plan = try draft(of: planner, progress)
            let tracks = Set(duckings.values.map(\.under))
            planner.heard = try await reading { () throws(ExportError) in
                try pass.levels(of: tracks, in: plan.audio)
            }
        }
        guard preset.audio?.loudness != nil else { return }
        let plan = try draft(of: planner, progress)
        planner.levels = try await reading { () throws(ExportError) in
            try pass.measure(plan.audio)
        }
    }

    /// Plans what is measured, and begins its progress.
    private func draft(
        of planner: ExportPlanner, _ progress: ProgressMeter
    ) throws(ExportError) -> ExportPlan {
        var draft = planner
        let plan = try draft.plan()
        let share = plan.video == nil ? Self.measuringShares.alone : Self.measuringShares.beside
        progress.begin(
            .analyse, from: progress.fraction, to: progress.fraction + share, total: plan.duration)
        return plan
    }
}

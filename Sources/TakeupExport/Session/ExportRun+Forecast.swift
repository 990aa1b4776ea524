extension ExportRun {
    /// Performs every check that is possible before rendering, except those of the output's place.
    ///
    /// - Returns: The plan, with warnings about likely problems.
    /// - Throws: `ExportError`, like rendering would.
    func foreseen() throws(ExportError) -> ExportPlan {
        try refuseBeforehand()
        var plan = plan
        if let warning = limitWarning { plan.warnings.append(warning) }
        return plan
    }

    /// A warning that the limit leaves room only for pictures and sound of minimal size; rendering
    /// alone can decide.
    private var limitWarning: ExportWarning? {
        guard let limit = plan.sizeLimit, case .encode(let encoding)? = plan.video?.mode
        else { return nil }
        let sound = plan.tracks.filter { $0.type == .audio }.compactMap(\.bytes).reduce(0, +)
        let least = SizeLimitedRun.usual(plan, encoding, sound: ExportPlan.whole(sound))
        guard least > limit else { return nil }
        return ExportWarning(
            code: "limitTooLow",
            message: "the output will hardly fit into \(limit) bytes: at the lowest bit rates it "
                + "takes about \(least)")
    }
}

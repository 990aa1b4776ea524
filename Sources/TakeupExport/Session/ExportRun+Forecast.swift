extension ExportRun {
    /// Asks all that can be asked before anything is rendered, but of the output's place.
    ///
    /// - Returns: The plan, with what is likely to go wrong.
    /// - Throws: `ExportError`, as rendering would.
    func foreseen() throws(ExportError) -> ExportPlan {
        try refuseBeforehand()
        var plan = plan
        if let warning = limitWarning { plan.warnings.append(warning) }
        return plan
    }

    /// Whether only pictures and sound that take next to nothing fit, which rendering alone can tell.
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

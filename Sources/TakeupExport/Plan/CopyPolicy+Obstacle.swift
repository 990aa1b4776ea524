extension ExportSettings.CopyPolicy {
    /// What speaks against a copy of any kind of track, unless the preset does nothing but copy.
    ///
    /// - Parameters:
    ///   - objection: Why a copy that was made turned out wrong; nil when none was.
    ///   - salvages: Whether a damaged source is exported as far as it goes.
    ///   - hasHoles: Whether packets are missing within the track.
    /// - Returns: nil when nothing does.
    func obstacle(objection: String?, salvages: Bool, hasHoles: Bool) -> PlanReason? {
        if let objection {
            return PlanReason(.copyProvedWrong, "a copy proved wrong: \(objection)")
        }
        if self == .never { return PlanReason(.copyingOff, "copying was switched off") }
        if salvages {
            return PlanReason(.salvaged, "what can be salvaged shows only when it is decoded")
        }
        return hasHoles ? PlanReason(.partMissing, "a part of the source is missing") : nil
    }
}

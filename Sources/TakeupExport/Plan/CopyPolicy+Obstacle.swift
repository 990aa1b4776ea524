extension ExportSettings.CopyPolicy {
    /// Returns the reason against a copy of any kind of track, unless the preset can only copy.
    ///
    /// - Parameters:
    ///   - objection: Why an earlier copy proved wrong; nil if there was none.
    ///   - salvages: Whether a damaged source is exported as far as possible.
    ///   - hasHoles: Whether packets are missing within the track.
    /// - Returns: nil if there is no reason.
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

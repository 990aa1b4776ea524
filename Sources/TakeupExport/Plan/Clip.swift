/// One step of what is exported, in order: where its pictures and its sound come from.
struct Clip: Sendable, Equatable {
    /// Places in the session's list of assets; nil leaves that kind out.
    var videoSource: Int?
    var audioSource: Int?
}

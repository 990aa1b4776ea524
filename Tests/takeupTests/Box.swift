import TakeupLanes

/// Exit codes that were asked for.
final class Box: Sendable {
    let codes = Locked<[Int32]>([])
}

public import TakeupJobs

extension JobRecord {
    private static let placeWords = "waits until "

    /// Why a job waits whose files cannot be written to a folder now.
    static func note(waitingFor folder: String, because reason: String) -> String {
        "\(placeWords)\(folder) can be written to: \(reason)"
    }

    /// Whether it waits for a folder that cannot be written to.
    public var waitsForPlace: Bool {
        state == .scheduled && note?.hasPrefix(Self.placeWords) == true
    }

    /// Before another look at what may have changed by itself: half a second, doubling up to eight.
    var waitSeconds: Double { min(8, 0.5 * Double(1 << min(machine.interruptions, 4))) }
}

internal import TakeupCurl
internal import TakeupLanes

extension FetchSession {
    /// Whether the stored bytes are current at the origin.
    var isTrusted: Bool { state.withLock { $0.isTrusted } }

    /// Seconds beyond which every age is the same.
    private static let mostAge = 2_147_483_648.0

    /// Records how old an answer is that confirms the version, and its status.
    ///
    /// - Note: Source: RFC 9111, 1.2.2 and 5.1.
    func noteAge(_ head: ResponseHead) {
        let age = head["age"].flatMap(Self.age) ?? 0
        state.withLock { ($0.originAge, $0.originStatus) = (age, head.status) }
    }

    private static func age(_ text: String) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Double(text).map { min($0, mostAge) }
    }
}

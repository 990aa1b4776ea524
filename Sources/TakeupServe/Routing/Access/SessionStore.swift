internal import TakeupDigest
internal import TakeupLanes

/// The sessions of browsers, in memory: a restart ends them.
final class SessionStore: Sendable {
    static let seconds = 12 * 3600.0
    /// The oldest one gives way.
    private static let most = 1000

    private struct Session {
        let tokenDigest: String
        let expiresAt: Double
    }

    /// By the digest of the cookie's value.
    private let sessions = Locked<[String: Session]>([:])

    /// Begins a session.
    ///
    /// - Parameters:
    ///   - tokenDigest: Of the token that the browser showed.
    ///   - now: Seconds of a clock that never goes back.
    /// - Returns: The cookie's value: 256 random bits.
    func begin(for tokenDigest: String, now: Double) -> String {
        let value = (0..<4).map { _ in
            let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
        let session = Session(tokenDigest: tokenDigest, expiresAt: now + Self.seconds)
        sessions.withLock { sessions in
            sessions = sessions.filter { $0.value.expiresAt > now }
            if sessions.count >= Self.most {
                let oldest = sessions.min { $0.value.expiresAt < $1.value.expiresAt }
                if let oldest { sessions[oldest.key] = nil }
            }
            sessions[SHA256Digest.of(value)] = session
        }
        return value
    }

    /// - Returns: The digest of the token with which a session began; nil for none, or one that has expired.
    func tokenDigest(of value: String, now: Double) -> String? {
        let key = SHA256Digest.of(value)
        return sessions.withLock { sessions in
            guard let session = sessions[key], session.expiresAt > now else { return nil }
            return session.tokenDigest
        }
    }

    func end(_ value: String) {
        let key = SHA256Digest.of(value)
        sessions.withLock { $0[key] = nil }
    }
}

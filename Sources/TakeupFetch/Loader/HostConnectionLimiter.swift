internal import TakeupCurl
internal import TakeupLanes

/// Limits the simultaneous transfers from one host and port, over all sessions of a library.
final class HostConnectionLimiter: Sendable {
    private struct State {
        var lines: [String: HostLine] = [:]
        /// The bells of the waiting places, by number.
        var wakes: [Int: Bell] = [:]
        var next = 0
    }

    private let state = Locked(State())

    /// Joins the end of a host's line; deallocating the returned object gives the place up.
    ///
    /// - Parameters:
    ///   - address: Names the host and port.
    ///   - most: Highest number of simultaneous transfers, including this one; 1 or more.
    /// - Returns: The place, to wait for and then hold.
    func turn(at address: WebAddress, most: Int) -> HostTurn {
        let host = Self.host(address)
        let wake = Bell()
        let number = state.withLock { state in
            state.next += 1
            state.wakes[state.next] = wake
            state.lines[host, default: HostLine()].join(.init(number: state.next, most: most))
            return state.next
        }
        admit(host)
        return HostTurn(self, host: host, number: number, wake: wake)
    }

    static func host(_ address: WebAddress) -> String { "\(address.host):\(address.port)" }

    /// Returns the active and waiting transfers of a host.
    func line(at host: String) -> HostLine {
        state.withLock { $0.lines[host] ?? HostLine() }
    }

    /// Leaves the line; the turn itself calls this once.
    func leave(_ host: String, _ number: Int) {
        state.withLock { state in
            state.wakes[number] = nil
            state.lines[host]?.leave(number)
            if state.lines[host]?.isEmpty == true { state.lines[host] = nil }
        }
        admit(host)
    }

    private func admit(_ host: String) {
        let wakes = state.withLock { state in
            let admitted = state.lines[host]?.admit() ?? []
            return admitted.compactMap { state.wakes.removeValue(forKey: $0) }
        }
        for wake in wakes { wake.ring() }
    }
}

internal import Dispatch
internal import TakeupCurl
internal import TakeupLanes

/// Keeps the transfers from one host and port at a time to a number, over all sessions of a library.
final class HostConnectionLimiter: Sendable {
    private struct State {
        var lines: [String: HostLine] = [:]
        /// Of those who wait, by their numbers.
        var wakes: [Int: DispatchSemaphore] = [:]
        var next = 0
    }

    private let state = Locked(State())

    /// A place at the end of a host's line, which is given up with the object.
    ///
    /// - Parameters:
    ///   - address: Names host and port.
    ///   - most: Transfers that there may be with this one; 1 or more.
    /// - Returns: What is waited for, and then had, until it goes.
    func turn(at address: WebAddress, most: Int) -> HostTurn {
        let host = Self.host(address)
        let wake = DispatchSemaphore(value: 0)
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

    /// Who transfers from a host, and who waits.
    func line(at host: String) -> HostLine {
        state.withLock { $0.lines[host] ?? HostLine() }
    }

    /// Called once, by the turn itself.
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
        for wake in wakes { wake.signal() }
    }
}

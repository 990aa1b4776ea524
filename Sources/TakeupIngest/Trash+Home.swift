internal import Foundation
internal import TakeupFiles
package import TakeupWatch

extension Trash {
    /// The trash of who runs this process.
    ///
    /// - Parameters:
    ///   - state: Where Takeup keeps its state.
    ///   - environment: For `HOME` and `XDG_DATA_HOME`.
    ///   - now: Seconds since 1970.
    package init(
        besides state: String, _ environment: [String: String],
        now: @escaping @Sendable () -> Double
    ) {
        self.init(
            home: Self.home(environment, besides: state), user: getuid(),
            now: now)
    }

    /// A service's home is where its state is, which goes with the program: it has no trash there.
    ///
    /// - Returns: nil for none, also without a home at all.
    package static func home(_ environment: [String: String], besides state: String) -> String? {
        let absolute = { (name: String) in
            environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let data = absolute("XDG_DATA_HOME") ?? absolute("HOME").map { "\($0)/.local/share" }
        guard let data else { return nil }
        let (inner, outer) = (Folder.resolved(data), Folder.resolved(state))
        guard Folder.path(from: outer, to: inner) == nil else { return nil }
        return "\(data)/Trash"
    }
}

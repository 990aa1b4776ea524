import Foundation
import TakeupFiles
import TakeupWatch

extension Trash {
    /// The trash of who runs this process.
    ///
    /// - Parameters:
    ///   - state: Where Takeup keeps its state.
    ///   - context: Its `HOME` and `XDG_DATA_HOME`, and the time.
    init(besides state: String, in context: CommandContext) {
        self.init(
            home: Self.home(context.environment, besides: state), user: getuid(),
            now: context.wallClock)
    }

    /// A service's home is where its state is, which goes with the program: it has no trash there.
    ///
    /// - Returns: nil for none, also without a home at all.
    static func home(_ environment: [String: String], besides state: String) -> String? {
        let absolute = { (name: String) in
            environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let data = absolute("XDG_DATA_HOME") ?? absolute("HOME").map { "\($0)/.local/share" }
        guard let data else { return nil }
        let (inner, outer) = (real(data), real(state))
        guard inner != outer, !inner.hasPrefix(outer == "/" ? "/" : "\(outer)/") else { return nil }
        return "\(data)/Trash"
    }

    /// Without links, as far as it is there.
    private static func real(_ path: String) -> String {
        var (above, below) = (path, "")
        while above.count > 1 {
            if let found = realpath(above, nil) {
                defer { free(found) }
                return String(cString: found) + below
            }
            let name = above.split(separator: "/").last ?? ""
            (above, below) = (Folder.containing(above), "/\(name)\(below)")
        }
        return below
    }
}

internal import Foundation
package import TakeupProcess

/// The command line that makes `takeup-media` a helper, and what it finds then.
package enum HelperCommand {
    /// The first argument.
    package static let name = "export-helper"
    /// The descriptor on which a helper finds its socket.
    package static let socketDescriptor: Int32 = 3
    /// The variable of the environment that allows tests to ask for faults.
    package static let faults = "TAKEUP_HELPER_FAULTS"

    /// - Returns: nil for limits that cannot be written.
    static func arguments(_ limits: Sandbox.Limits) -> [String]? {
        guard let text = try? JSONEncoder().encode(limits) else { return nil }
        return [name, String(getpid()), String(decoding: text, as: UTF8.self)]
    }

    /// Reads a command line without the program's name.
    ///
    /// - Returns: nil when it does not ask for a helper.
    package static func read(
        _ arguments: some Collection<String>
    ) -> (parent: Int32, limits: Sandbox.Limits)? {
        let words = Array(arguments)
        guard words.count == 3, words[0] == name, let parent = Int32(words[1]),
            let limits = try? JSONDecoder().decode(
                Sandbox.Limits.self, from: Data(words[2].utf8))
        else { return nil }
        return (parent, limits)
    }
}

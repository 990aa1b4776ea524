internal import Foundation
internal import TakeupModel
package import TakeupProcess

/// What goes between a helper and the process that started it.
package enum HelperMessage: Sendable, Codable {
    // To the helper.
    /// Open files for the next task, in their order, as many as fit into a message.
    case files
    case task(HelperTask)
    /// The file that an export is written to goes along, and its poster's behind it.
    case output
    case cancel

    // From the helper.
    case ready(Sandbox, version: String)
    case event(HelperEvent)
    /// Something advances that has no progress to tell.
    case beat
    /// What a first look at a large source told, before the whole of it.
    case glanced(MediaFacts)
    case answer(HelperAnswer)
    case failed(HelperFailure)

    /// Bytes of a message's part.
    ///
    /// A first byte ahead of them says whether another part follows.
    private static let partBytes = MessageSocket.longest / 2 - 1
    private static let lastPart: UInt8 = 0
    private static let morePart: UInt8 = 1
    /// Bytes of a whole message; a longer one is refused.
    private static let mostBytes = 64 << 20
    /// Longer lists of warnings are cut: they say the same again.
    private static let mostWarnings = 100

    /// - Parameters:
    ///   - socket: Where it goes.
    ///   - descriptors: Open files that go along with the first part.
    /// - Throws: `ProcessError` with `.send`.
    package func send(
        on socket: MessageSocket, _ descriptors: [Int32] = []
    ) throws(ProcessError) {
        guard let text = try? JSONEncoder().encode(shortened), text.count <= Self.mostBytes else {
            throw ProcessError(.send, errno: EMSGSIZE, subject: "a message")
        }
        var rest = Array(text)[...]
        var files = descriptors
        repeat {
            let part = rest.prefix(Self.partBytes)
            rest = rest.dropFirst(part.count)
            try socket.send([rest.isEmpty ? Self.lastPart : Self.morePart] + part, files)
            files = []
        } while !rest.isEmpty
    }

    /// Sends open files for the next task, in as many messages as they need.
    static func send(files: [Int32], on socket: MessageSocket) throws(ProcessError) {
        var rest = files[...]
        while !rest.isEmpty {
            let part = rest.prefix(MessageSocket.mostDescriptors)
            rest = rest.dropFirst(part.count)
            try HelperMessage.files.send(on: socket, Array(part))
        }
    }

    private var shortened: HelperMessage {
        guard case .answer(.exported(var report)) = self,
            report.warnings.count > Self.mostWarnings
        else { return self }
        report.warnings = Array(report.warnings.prefix(Self.mostWarnings))
        return .answer(.exported(report))
    }

    /// Puts a message together from its parts.
    package struct Assembly {
        private var bytes: [UInt8] = []

        package enum Progress {
            case more
            case whole(HelperMessage)
            /// What came is no message.
            case nonsense
        }

        package init() {}

        package mutating func add(_ part: [UInt8]) -> Progress {
            guard let mark = part.first, mark <= HelperMessage.morePart,
                bytes.count + part.count <= HelperMessage.mostBytes + HelperMessage.partBytes
            else { return .nonsense }
            bytes += part.dropFirst()
            if mark == HelperMessage.morePart { return .more }
            defer { bytes = [] }
            guard
                let message = try? JSONDecoder().decode(HelperMessage.self, from: Data(bytes))
            else { return .nonsense }
            return .whole(message)
        }
    }
}

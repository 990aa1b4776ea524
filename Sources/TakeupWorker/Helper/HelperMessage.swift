internal import Foundation
internal import TakeupExport
internal import TakeupProcess

/// What goes between a helper and the process that started it.
enum HelperMessage: Sendable, Codable {
    // To the helper. The sources' descriptors go along with `run`, and the output's as the last.
    case run(HelperRequest)
    /// One open source goes along.
    case probe(name: String)
    case cancel

    // From the helper.
    case ready(Sandbox)
    case event(HelperEvent)
    /// Something advances that has no progress to tell.
    case beat
    case finished(ExportReport)
    /// What a first look at a large source told, before the whole of it.
    case glanced(MediaFacts)
    case probed(MediaFacts)
    case failed(FailureReport)

    /// Longer lists of warnings or problems are cut so that the message can be sent.
    private static let mostWarnings = 100

    func send(
        on socket: MessageSocket, _ descriptors: [Int32] = []
    ) throws(ProcessError) {
        guard let text = try? JSONEncoder().encode(shortened) else {
            throw ProcessError(.send, errno: EINVAL, subject: "a message")
        }
        try socket.send(Array(text), descriptors)
    }

    /// - Returns: nil for bytes that are no message.
    init?(_ bytes: [UInt8]) {
        guard let message = try? JSONDecoder().decode(HelperMessage.self, from: Data(bytes)) else {
            return nil
        }
        self = message
    }

    private var shortened: HelperMessage {
        guard case .finished(var report) = self, report.warnings.count > Self.mostWarnings else {
            return self
        }
        report.warnings = Array(report.warnings.prefix(Self.mostWarnings))
        return .finished(report)
    }
}

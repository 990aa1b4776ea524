internal import Foundation
internal import TakeupExport
internal import TakeupProcess

extension HelperOrder {
    /// Does the work inside a helper and tells how it ended.
    func perform(for socket: MessageSocket) async {
        let answer: HelperMessage
        do throws(FailureReport) {
            switch work {
            case .export(let request):
                answer = .finished(try await HelperExport(self, request, socket).export())
            case .probe(let name):
                answer = .probed(try await HelperProbe(self, name, socket).facts())
            }
        } catch {
            answer = .failed(error)
        }
        for descriptor in descriptors { close(descriptor) }
        tell(answer, to: socket)
    }

    /// A parent that no longer listens has closed its end, which ends this process elsewhere.
    func tell(_ message: HelperMessage, to socket: MessageSocket) {
        try? message.send(on: socket)
    }
}

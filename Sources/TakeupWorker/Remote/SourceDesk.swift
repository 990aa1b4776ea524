internal import Foundation
internal import TakeupFiles
internal import TakeupLanes
internal import TakeupMediaClient
internal import TakeupModel
internal import TakeupOutput
internal import TakeupProcess

/// A local source that can be opened again as long as its content has not changed.
struct LocalFile: Sendable {
    let path: String
    /// Whether the path may have symbolic links.
    let followsLinks: Bool
    let identity: FileIdentity

    /// Opens the source for reading.
    ///
    /// - Returns: The descriptor, the caller's; or why there is none: `ESTALE` for another file or another content.
    func open() -> Result<Int32, Errno> {
        let descriptor = Self.open(path, followsLinks: followsLinks)
        guard descriptor >= 0 else { return .failure(Errno(code: errno)) }
        guard FileIdentity(descriptor: descriptor)?.hasContent(of: identity) == true else {
            close(descriptor)
            return .failure(Errno(code: ESTALE))
        }
        return .success(descriptor)
    }

    /// - Returns: A negative number with `errno` if it cannot be opened.
    static func open(_ path: String, followsLinks: Bool) -> Int32 {
        // Without O_NONBLOCK the open of a pipe would wait for a writer.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
        return followsLinks
            ? Foundation.open(path, flags) : AnchoredPath.openWithoutLinks(path, flags)
    }

    func fault(_ reason: Errno) -> ExportError {
        guard reason.code != ESTALE else {
            return .inputUnreadable(path, reason: "it changed while the export read it")
        }
        return ExportError(opening: path, errno: reason.code)
    }

    struct Errno: Error {
        let code: Int32
    }
}

/// Opens the files of one task for a sealed helper when the helper reads them, so that neither process has all of
/// them open.
///
/// A thread of its own answers.
final class SourceDesk: Sendable {
    /// Number of files up to which a helper gets all of them open.
    ///
    /// - Note: As many as the helper itself keeps open, `OpenFiles.standard`.
    static let mostHanded = 64

    private let files: [Int: LocalFile]
    private let socket: MessageSocket
    private let helperSocket: MessageSocket
    private let firstFault = Locked<ExportError?>(nil)
    private let end = DispatchSemaphore(value: 0)

    /// Starts to answer.
    ///
    /// - Parameter files: By their places among the task's files.
    /// - Throws: `ProcessError` with `.connect`.
    init(_ files: [Int: LocalFile]) throws(ProcessError) {
        self.files = files
        (socket, helperSocket) = try MessageSocket.pair()
        let thread = Thread { [self] in
            serve()
            // A helper that asked for something else is not answered any more.
            socket.shutDown()
            end.signal()
        }
        thread.name = "takeup.desk"
        thread.start()
    }

    /// Goes along to the helper.
    var descriptor: Int32 { helperSocket.descriptor }

    /// Why a file could not be opened again; nil while none has failed.
    ///
    /// The helper sees a read that fails, and may take the source for a damaged one.
    var fault: ExportError? { firstFault.withLock { $0 } }

    /// Ends its thread, and waits for that.
    func stop() {
        socket.shutDown()
        end.wait()
    }

    private func serve() {
        while case .message(let bytes, let descriptors)? = try? socket.receive() {
            for descriptor in descriptors { close(descriptor) }
            guard let file = OpeningMessage.number(bytes).flatMap({ files[$0] }) else { return }
            switch file.open() {
            case .success(let descriptor):
                defer { close(descriptor) }
                guard (try? socket.send(OpeningMessage.bytes(0), [descriptor])) != nil else {
                    return
                }
            case .failure(let reason):
                let fault = file.fault(reason)
                firstFault.withLock { $0 = $0 ?? fault }
                let answer = OpeningMessage.bytes(Int(reason.code))
                guard (try? socket.send(answer)) != nil else { return }
            }
        }
    }
}

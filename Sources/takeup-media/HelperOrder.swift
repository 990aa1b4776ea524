internal import Foundation
internal import TakeupExport
internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupMediaClient
internal import TakeupProcess

/// One task that a helper was given.
struct HelperOrder: Sendable {
    let task: HelperTask
    /// The sources', in order.
    let descriptors: [Int32]
    let cancellation = Cancellation()
    /// The files that an export writes, as they come: once.
    let outputs: AsyncStream<[Int32]>
    private let handing: AsyncStream<[Int32]>.Continuation
    private let written = Locked<(files: [Int32], isOver: Bool)>(([], false))

    init(_ task: HelperTask, _ descriptors: [Int32]) {
        (self.task, self.descriptors) = (task, descriptors)
        (outputs, handing) = AsyncStream.makeStream(of: [Int32].self)
    }

    /// Stops the task; who waits for its output waits no longer.
    func cancel() {
        cancellation.cancel()
        handing.finish()
    }

    /// Hands over the files that an export writes.
    func give(_ files: [Int32]) {
        let isLate = written.withLock { written in
            if !written.isOver { written.files += files }
            return written.isOver
        }
        if isLate { for file in files { close(file) } }
        handing.yield(files)
        handing.finish()
    }

    /// Does the task inside a helper and tells how it ended.
    func perform(for socket: MessageSocket) async {
        let answer: HelperMessage
        do throws(HelperFailure) {
            answer = .answer(try await answered(socket))
        } catch {
            answer = .failed(error)
        }
        let outputs = written.withLock { written in
            written.isOver = true
            return written.files
        }
        for descriptor in descriptors + outputs { close(descriptor) }
        tell(answer, to: socket)
    }

    private func answered(_ socket: MessageSocket) async throws(HelperFailure) -> HelperAnswer {
        switch task {
        case .export(let request):
            .exported(try await HelperExport(self, request, socket).export())
        case .plan(let request, let presets):
            .planned(try await HelperExport(self, request, socket).plans(presets))
        case .inspect(let name, let length):
            .described(
                try await HelperInspection(self, name, length, socket).description())
        case .decode(let name):
            .verified(try await HelperInspection(self, name, nil, socket).decoded())
        case .probe(let name): .probed(try await HelperProbe(self, name, socket).facts())
        case .inventory(let encoders, let filters):
            .inventory(MediaInventory(encoders: encoders, filters: filters))
        }
    }

    /// A parent that no longer listens has closed its end, which ends this process elsewhere.
    func tell(_ message: HelperMessage, to socket: MessageSocket) {
        try? message.send(on: socket)
    }

    /// Opens the sources that were handed over.
    ///
    /// - Parameters:
    ///   - names: What they are called in messages.
    ///   - files: How they were handed over.
    /// - Returns: One for each name, the same one for the same file.
    /// - Throws: `.invalidRequest` for other files than the names ask for.
    func assets(_ names: [String], _ files: HelperFiles) throws(ExportError) -> [Asset] {
        guard files.places.count == names.count, files.descriptorCount == descriptors.count,
            files.places.allSatisfy({ $0 >= 0 })
        else { throw Self.otherFiles }
        var rest = descriptors.makeIterator()
        let late = files.lateLengths.isEmpty ? nil : rest.next().map { LateFiles(socket: $0) }
        if let late { cancellation.onCancel { late.cancel() } }
        var opened: [Asset] = []
        var all: [Asset] = []
        for (place, name) in zip(files.places, names) {
            if place == opened.count {
                opened.append(try asset(place, name, files, late, &rest))
            }
            guard place < opened.count else { throw Self.otherFiles }
            all.append(opened[place])
        }
        return all
    }

    private static var otherFiles: ExportError {
        .invalidRequest(
            reason: "the files do not match their names", hint: "hand over one for each")
    }

    private func asset(
        _ place: Int, _ name: String, _ files: HelperFiles, _ late: LateFiles?,
        _ rest: inout IndexingIterator<[Int32]>
    ) throws(ExportError) -> Asset {
        if let late, let length = files.lateLengths[place] {
            return Asset(source: late.source(place, name: name, byteCount: length), name: name)
        }
        guard let descriptor = rest.next() else { throw Self.otherFiles }
        guard let length = files.remoteLengths[place], let socket = rest.next() else {
            return try Asset(descriptor: descriptor, name: name)
        }
        let file = RemoteFile(
            descriptor: descriptor, socket: socket, name: name, byteCount: length)
        cancellation.onCancel { file.cancel() }
        return Asset(source: file, name: name)
    }

    /// Says that it advances while sources are read where no progress can be told, until the task is cancelled.
    func beat(_ assets: [Asset], to socket: MessageSocket) async {
        var last: Int64 = -1
        while !Task.isCancelled {
            let read = assets.map(\.bytesRead).reduce(0, +)
            if read > last { tell(.beat, to: socket) }
            last = read
            try? await Task.sleep(for: .seconds(1))
        }
    }
}

extension MediaInventory {
    /// Asks the libraries that this process runs on.
    init(encoders: Set<String>, filters: Set<String>) {
        self.init(
            release: LibraryVersions.release,
            libraries: LibraryVersions.all.map { "\($0.name) \($0.version)" },
            encoders: encoders.filter(Encoder.exists),
            filters: filters.filter(LibraryVersions.hasFilter))
    }
}

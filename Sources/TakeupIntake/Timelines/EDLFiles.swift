/// Finds the files that the events of an edit decision list name, often without folder and ending.
struct EDLFiles {
    private let folder: String
    private let names: Set<String>
    /// Names of media by themselves and without their endings, in small letters.
    private var media: [String: Set<String>] = [:]

    /// Takes the names of the files in the list's folder.
    init(folder: String, names: [String]) {
        (self.folder, self.names) = (folder, Set(names))
        for name in names where MediaName.isMedia(name) {
            for key in [name, ListPath.split(name).stem] {
                media[key.lowercased(), default: []].insert(name)
            }
        }
    }

    /// The file of an event.
    ///
    /// - Throws: When none is named, or more than one could be meant.
    func place(of event: EDLEvent) throws(BatchFault) -> String {
        var named = event.files.sorted { $0.rank < $1.rank }.map(\.text)
        if !named.contains(event.reel) { named.append(event.reel) }
        for text in named {
            let isPath = text.contains("/")
            if isPath, !TimelineSource.isOfWindows(text) { return try place(text, event) }
            let name = text.split { $0 == "\\" || $0 == "/" }.last.map(String.init) ?? text
            if names.contains(name) { return try place(name, event) }
            let found = media[name.lowercased()] ?? []
            guard found.count < 2 else {
                let list = found.sorted().prefix(3).joined(separator: ", ")
                throw event.fault(
                    "\(QuotedWord(name)) may be several files: \(list)",
                    hint: "write '* SOURCE FILE: ' and the file's name behind the event")
            }
            if let name = found.first { return try place(name, event) }
            // A whole name is taken at its word: what the reel is called may be something else.
            guard MediaName.isMedia(name) || TimelineFile.isOne(name) else { continue }
            guard TimelineSource.isOfWindows(text) else { return try place(name, event) }
            break
        }
        throw event.fault(
            "no file in the list's folder is called \(named.map { "\(QuotedWord($0))" }.joined(separator: " or "))",
            hint:
                "put the file beside the list, or write '* SOURCE FILE: ' and its path behind the event"
        )
    }

    private func place(_ text: String, _ event: EDLEvent) throws(BatchFault) -> String {
        do throws(BatchFault) {
            return try TimelineSource.place(text, from: folder)
        } catch {
            throw event.fault("the source \(QuotedWord(text)) \(error.reason)", hint: error.hint)
        }
    }
}

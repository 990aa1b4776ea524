internal import Foundation
internal import TakeupFiles
internal import TakeupModel

/// Finds jobs by the beginning of an id, of an address or a path, or of a file's name.
///
/// Only a job's first source counts. Upper and lower case are the same but in ids.
public struct JobSearch: Sendable, Equatable {
    /// The text that the user typed.
    package let text: String
    private let folded: String

    /// - Parameter text: The beginning; an empty one finds every job. The `http://` of an address may be left out.
    public init(_ text: String) { (self.text, folded) = (text, text.lowercased()) }

    /// The columns of the queue's table, each with a beginning that finds a job.
    var beginnings: [(column: String, text: String)] {
        [
            ("id", text), ("file", folded), ("place", folded), ("place", "https://\(folded)"),
            ("place", "http://\(folded)"),
        ]
    }

    func includes(_ record: JobRecord) -> Bool {
        let keys = SearchKeys(record.spec)
        let values = ["id": record.id.rawValue, "file": keys.file, "place": keys.place]
        return beginnings.contains {
            values[$0.column, default: ""].utf8.starts(with: $0.text.utf8)
        }
    }
}

/// What the queue notes of a job, so that it is found by a beginning; in lower case.
struct SearchKeys: Sendable, Equatable {
    /// The first source, as it may be shown: nobody finds out a secret by searching.
    let place: String
    /// The last part of `place`, as people read it.
    let file: String

    init(_ spec: JobSpec) {
        let source = spec.request.sources.first ?? ""
        guard SourceText.isAddress(source) else {
            place = source.lowercased()
            file = Folder.names(of: place).last.map { String($0) } ?? ""
            return
        }
        place = SourceText.shown(source).replacing("?…", with: "").lowercased()
        let name = place.utf8.reversed().drop { $0 == UInt8(ascii: "/") }
            .prefix { $0 != UInt8(ascii: "/") }
        let text = String(decoding: name.reversed(), as: UTF8.self)
        file = text.removingPercentEncoding?.lowercased() ?? text
    }
}

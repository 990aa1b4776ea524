/// A value of a list and where it stands.
struct JSONElement: Sendable {
    struct Member: Sendable {
        let key: String
        let element: JSONElement
    }

    enum Value: Sendable {
        case null
        case flag(Bool)
        /// A number's digits as they were written, so that none is lost.
        case number(String)
        case text(String)
        /// A CSV cell, which does not say what it is.
        case cell(String)
        case list([JSONElement])
        case object([Member])
    }

    let value: Value
    /// From 1; nil for what no list wrote.
    let line: Int?
    /// Column number of a CSV cell, from 1.
    var column: Int?

    /// What kind of value it is, for a message.
    var kind: String {
        switch value {
        case .null: "null"
        case .flag(let flag): "\(flag)"
        case .number(let digits): digits
        case .text(let text), .cell(let text): QuotedWord(text).description
        case .list: "a list"
        case .object: "an object"
        }
    }
}

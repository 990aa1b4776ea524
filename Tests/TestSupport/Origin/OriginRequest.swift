/// The head of a request that a `TestOrigin` got.
struct OriginRequest: Equatable {
    var method: String
    /// As it was sent, without decoding.
    var path: String
    /// What follows the question mark; nil when there is none.
    var query: String?
    var version: String
    var fields: [OriginField]

    /// Reads a head, without the empty line at its end; nil when it is none.
    init?(head: some Collection<UInt8>) {
        let text = String(decoding: head, as: UTF8.self)
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        guard let first = lines.first else { return nil }
        let words = first.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 3, words[2].hasPrefix("HTTP/1."), words[1].hasPrefix("/") else {
            return nil
        }
        method = words[0]
        version = words[2]
        let target = words[1].split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(target[0])
        query = target.count > 1 ? String(target[1]) : nil
        fields = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return nil }
            let value = line[line.index(after: colon)...]
                .drop { $0 == " " || $0 == "\t" }
                .reversed().drop { $0 == " " || $0 == "\t" }.reversed()
            fields.append(OriginField(String(line[..<colon]), String(value)))
        }
    }

    /// Whether the client wants the connection to stay.
    var keepsAlive: Bool {
        let wish = fields["Connection"]?.lowercased()
        return version == "HTTP/1.0" ? wish == "keep-alive" : wish != "close"
    }

    /// The value of a part of the query.
    func parameter(_ name: String) -> String? {
        for pair in (query ?? "").split(separator: "&") where pair.hasPrefix("\(name)=") {
            return String(pair.dropFirst(name.count + 1))
        }
        return nil
    }
}

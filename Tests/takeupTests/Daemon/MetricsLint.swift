import Testing

/// Reads metrics as strictly as Prometheus does, and with its advice on names; each has the command's label first.
struct MetricsLint {
    /// By series, without the command's label.
    private(set) var values: [String: Double] = [:]
    private(set) var commands: Set<String> = []
    private(set) var labels: Set<String> = []
    private var kinds: [String: String] = [:]
    private var family = ""

    /// - Throws: For the first line that is wrong.
    init(_ text: String) throws {
        try #require(text.hasSuffix("\n") && !text.contains("\n\n"))
        var helped: String?
        for line in text.split(separator: "\n").map(String.init) {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            if line.hasPrefix("# HELP ") {
                try #require(words.count == 4 && words[3].hasSuffix("."), "\(line)")
                helped = words[2]
            } else if line.hasPrefix("# TYPE ") {
                try #require(words.count == 4 && helped == words[2], "\(line)")
                try take(words[2], kind: words[3])
            } else {
                try takeSample(line)
            }
        }
    }

    private mutating func take(_ name: String, kind: String) throws {
        try #require(kinds[name] == nil, "\(name) comes in one piece")
        try #require(name.wholeMatch(of: #/takeup_[a-z0-9_]+/#) != nil, "\(name)")
        try #require(["gauge", "counter", "summary"].contains(kind), "\(kind)")
        try #require((kind == "counter") == name.hasSuffix("_total"), "\(name) is a \(kind)")
        let endings = ["_sum", "_count", "_bucket", "_milliseconds", "_minutes", "_hours"]
        try #require(!endings.contains { name.hasSuffix($0) }, "\(name)")
        (kinds[name], family) = (kind, name)
    }

    private mutating func takeSample(_ line: String) throws {
        let form =
            #/([a-z0-9_]+)\{command="(watch|worker)"(,(?:[a-z_]+="(?:[^"\\]|\\[\\n"])*",?)+)?\} (-?[0-9.e+-]+)/#
        let match = try #require(try form.wholeMatch(in: line), "\(line)")
        let name = String(match.1)
        let isSummary = kinds[family] == "summary"
        try #require(
            isSummary ? [family + "_sum", family + "_count"].contains(name) : name == family,
            "\(line)")
        commands.insert(String(match.2))
        let series = name + (match.3.map { "{\($0.dropFirst())}" } ?? "")
        try #require(values[series] == nil, "\(series) is there twice")
        let number = Double(match.4)
        let value: Double = try #require(number, "\(line)")
        values[series] = value
        for label in (match.3 ?? "").matches(of: #/([a-z_]+)="/#) { labels.insert(String(label.1)) }
    }
}

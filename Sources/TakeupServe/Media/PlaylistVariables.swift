internal import TakeupCurl

/// The variables that the `EXT-X-DEFINE` tags of a playlist define.
struct PlaylistVariables {
    /// Size of the longest value, in bytes; more is no part of an address.
    private static let longestBytes = WebAddress.longestBytes
    /// Highest number of variables.
    private static let most = 1000

    private let parameters: [[UInt8]: [UInt8]]
    private var values: [[UInt8]: [UInt8]] = [:]
    /// Whether the playlist has any definition, so that `{$` begins a variable.
    private var isUsed = false

    init(of address: WebAddress) {
        parameters = address.query.map(Self.parameters) ?? [:]
    }

    /// Takes the attributes of a definition.
    ///
    /// - Returns: Other attributes for the tag, where it asks for a part of the playlist's address, which a client no longer sees;
    ///   nil to keep the tag.
    mutating func define(_ list: ArraySlice<UInt8>) -> [UInt8]? {
        isUsed = true
        var list = list
        var (name, value, asked): ([UInt8]?, [UInt8]?, [UInt8]?) = (nil, nil, nil)
        while let attribute = PlaylistAttribute.next(&list) {
            if attribute.name.elementsEqual("NAME".utf8) { name = Array(attribute.value) }
            if attribute.name.elementsEqual("VALUE".utf8) { value = Array(attribute.value) }
            if attribute.name.elementsEqual("QUERYPARAM".utf8) { asked = Array(attribute.value) }
        }
        if let asked {
            guard let found = parameters[asked] else { return nil }
            set(asked, found)
            return Array("NAME=\"".utf8) + asked + Array("\",VALUE=\"".utf8) + found
                + [UInt8(ascii: "\"")]
        }
        if let name, let value { set(name, value) }
        return nil
    }

    private mutating func set(_ name: [UInt8], _ value: [UInt8]) {
        guard values.count < Self.most, value.count <= Self.longestBytes else { return }
        values[name] = value
    }

    /// The parameters of a query, decoded; of one that comes twice, the first.
    private static func parameters(of query: String) -> [[UInt8]: [UInt8]] {
        var found: [[UInt8]: [UInt8]] = [:]
        for pair in query.split(separator: "&").prefix(most) {
            let key = pair.prefix { $0 != "=" }
            guard let name = PercentText.decoded(key).map({ Array($0.utf8) }), found[name] == nil
            else { continue }
            let raw = pair.dropFirst(key.count + 1)
            let text = PercentText.decoded(raw).map { Array($0.utf8) } ?? Array(raw.utf8)
            // What cannot stand between quotes stays as it was sent.
            let isClear = text.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") }
            found[name] = isClear ? text : Array(raw.utf8)
        }
        return found
    }

    /// Puts in the values.
    ///
    /// - Returns: nil if a variable is not defined here, such as an imported one, or the text grows too long.
    func substitute(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard isUsed, text.contains(UInt8(ascii: "{")) else { return text }
        var result: [UInt8] = []
        var rest = text
        while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
            result += rest[..<open]
            rest = rest[open...]
            guard rest.dropFirst().first == UInt8(ascii: "$") else {
                result.append(rest.removeFirst())
                continue
            }
            guard let close = rest.firstIndex(of: UInt8(ascii: "}")) else { break }
            guard let value = values[Array(rest[(open + 2)..<close])],
                result.count + value.count <= Self.longestBytes
            else { return nil }
            result += value
            rest = rest[(close + 1)...]
        }
        return (result + rest)[...]
    }
}

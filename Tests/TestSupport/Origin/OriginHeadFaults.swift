/// What is wrong with the heads of a `TestOrigin`'s answers.
public struct OriginHeadFaults: Sendable, Equatable {
    /// How the names of fields are written.
    public enum NameCase: Sendable {
        case canonical, lower, upper
        /// Small and large letters in turn.
        case odd
    }

    /// How the names of fields are written.
    public var names = NameCase.canonical
    /// So many bytes more, in fields of a thousand bytes.
    public var paddingBytes = 0
    /// How fast the head comes, bytes per second.
    public var bytesPerSecond: Int?
    /// For how long nothing comes before it.
    public var delaySeconds = 0.0

    /// No fault.
    public init() {}

    func name(_ name: String) -> String {
        switch names {
        case .canonical: name
        case .lower: name.lowercased()
        case .upper: name.uppercased()
        case .odd:
            String(
                name.enumerated().map { index, letter in
                    Character(index % 2 == 0 ? letter.lowercased() : letter.uppercased())
                })
        }
    }

    var padding: [OriginField] {
        stride(from: 0, to: paddingBytes, by: 1000).map { place in
            let name = "X-Padding-\(place)"
            let count = min(1000, paddingBytes - place) - name.utf8.count - 4
            return OriginField(name, String(repeating: "p", count: max(0, count)))
        }
    }
}

/// The value of one option and where it came from.
struct Setting: Sendable, Equatable {
    /// Where a value came from, strongest first.
    enum Origin: Sendable, Equatable {
        case flag
        case environment(String)
        case configuration(String)
        case builtIn
    }

    let name: String
    /// As many as were given; empty when there is neither a value nor a default.
    let values: [String]
    let origin: Origin
}

extension Setting.Origin: CustomStringConvertible {
    var description: String {
        switch self {
        case .flag: "flag"
        case .environment(let name): "environment \(name)"
        case .configuration(let path): "config \(path)"
        case .builtIn: "default"
        }
    }
}

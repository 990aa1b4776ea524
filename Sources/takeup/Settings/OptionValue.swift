/// A value that a JSON file gives an option: a text, a number, a truth value, or a list of texts and numbers.
enum OptionValue: Decodable, Sendable, Equatable {
    case text(String)
    case list([String])
    case flag(Bool)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let whole = try? container.decode(Int64.self) {
            self = .text("\(whole)")
        } else if let number = try? container.decode(Double.self) {
            self = .text("\(number)")
        } else if let list = try? container.decode([String].self) {
            self = .list(list)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    /// What an option takes it for.
    ///
    /// - Returns: nil for a value of another kind than the option's.
    func texts(for option: OptionSpecification) -> [String]? {
        switch self {
        case .text(let text): return option.takesValue && !text.isEmpty ? [text] : nil
        case .list(let texts):
            let isList = option.takesValue && option.isRepeatable && !texts.isEmpty
            return isList && !texts.contains("") ? texts : nil
        case .flag(let flag): return option.takesValue ? nil : ["\(flag)"]
        }
    }
}

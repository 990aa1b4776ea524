/// A value that a JSON file gives an option: a text, a number, a truth value, a list of texts, or pairs of keys and values.
enum OptionValue: Decodable, Sendable, Equatable {
    case text(String)
    case list([String])
    case flag(Bool)
    /// The texts `KEY=VALUE` of an object, in the order of its keys.
    case pairs([String])
    /// What no option takes, in words.
    case other(String)

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
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let object = try? container.decode([String: Scalar].self) {
            self = .pairs(object.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.text)" })
        } else if container.decodeNil() {
            self = .other("null")
        } else {
            self = .other(Self.kind(of: decoder))
        }
    }

    /// What stands at a key of an object.
    private struct Scalar: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                text = "\(flag)"
            } else if let whole = try? container.decode(Int64.self) {
                text = "\(whole)"
            } else if let number = try? container.decode(Double.self) {
                text = "\(number)"
            } else {
                text = container.decodeNil() ? "null" : try container.decode(String.self)
            }
        }
    }

    private static func kind(of decoder: any Decoder) -> String {
        if (try? decoder.unkeyedContainer()) != nil { return "a list of other things than texts" }
        let isObject = (try? decoder.container(keyedBy: SettingsObject.Key.self)) != nil
        return isObject ? "an object" : "a value that cannot be read"
    }

    /// For people.
    var kind: String {
        switch self {
        case .text(""): "an empty text"
        case .text(let text): "'\(text)'"
        case .list: "a list"
        case .flag(let flag): "\(flag)"
        case .pairs: "an object"
        case .other(let words): words
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
        case .pairs(let texts): return option.takesPairs && !texts.isEmpty ? texts : nil
        case .other: return nil
        }
    }
}

/// A name and a value that belong to an event, besides its words.
public struct LogField: Sendable, Equatable {
    public enum Value: Sendable, Equatable {
        case text(String)
        case integer(Int64)
        case number(Double)
    }

    public let name: String
    public let value: Value

    public init(_ name: String, _ text: String) {
        (self.name, value) = (name, .text(text))
    }

    public init(_ name: String, _ number: some BinaryInteger) {
        (self.name, value) = (name, .integer(Int64(clamping: number)))
    }

    /// A measured value; it is finite, and kept to six decimals.
    public init(_ name: String, _ number: Double) {
        (self.name, value) = (name, .number((number * 1e6).rounded() / 1e6))
    }
}

extension LogField: CustomStringConvertible {
    /// `name=value`; a text that could be read as anything else than one value is in quotes.
    public var description: String {
        switch value {
        case .integer(let number): "\(name)=\(number)"
        case .number(let number): "\(name)=\(number)"
        case .text(let text): "\(name)=\(Self.isPlain(text) ? text : Self.quoted(text))"
        }
    }

    private static func isPlain(_ text: String) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy {
                !isHidden($0) && !$0.properties.isWhitespace && !["\"", "\\", "="].contains($0)
            }
    }

    /// Control and format characters: a line that is broken or turned around could pass for others.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where isHidden(scalar):
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

/// A value that `ffprobe` writes now as a number and now as text.
struct ProbedScalar: Decodable, Sendable {
    let text: String

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let integer = try? value.decode(Int64.self) {
            text = "\(integer)"
        } else if let number = try? value.decode(Double.self) {
            text = "\(number)"
        } else if let string = try? value.decode(String.self) {
            text = string
        } else {
            // Nested lists, such as the components of a Dolby Vision record, are not compared.
            text = ""
        }
    }
}

internal import TakeupSQL

extension SQLValue {
    /// The type's number in every PostgreSQL, and the value's text; 0 leaves the type to the server.
    var parameter: (type: UInt32, text: String?) {
        switch self {
        case .null: (0, nil)
        case .integer(let number): (20, "\(number)")
        case .real(let number): (701, number.isFinite ? "\(number)" : Self.name(number))
        case .text(let text): (25, text)
        }
    }

    private static func name(_ number: Double) -> String {
        number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity"
    }
}

/// Hands C an array of texts that ends in NULL.
func withStrings<Value>(
    _ texts: [String?], _ body: ([UnsafePointer<CChar>?]) -> Value
) -> Value {
    var (bytes, starts): ([CChar], [Int?]) = ([], [])
    for text in texts {
        starts.append(text == nil ? nil : bytes.count)
        guard let text else { continue }
        bytes += text.utf8CString
    }
    return bytes.withUnsafeBufferPointer { buffer in
        body(starts.map { start in start.flatMap { buffer.baseAddress?.advanced(by: $0) } } + [nil])
    }
}

/// The one form of paths and queries that signatures accept.
///
/// - Note: Source: "Create a signed AWS API request": every byte but the unreserved ones is encoded, in upper case.
enum PercentEncoding {
    private static let unreserved = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

    /// Encodes a name or a value of a query, or a path if it keeps its slashes.
    static func encode(_ text: String, keepsSlashes: Bool = false) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if unreserved.contains(byte) || keepsSlashes && byte == 0x2F {
                bytes.append(byte)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                bytes += Array((digits.count == 1 ? "%0" : "%").utf8) + Array(digits.utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes a query: sorted, each name with its equals sign.
    static func query(_ fields: [(String, String)]) -> String {
        fields.map { (encode($0.0), encode($0.1)) }.sorted { $0 < $1 }
            .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }
}

import TakeupCurl

/// An address on the command line, as it is fetched.
struct AddressArgument: Sendable, Equatable {
    /// In its normal form.
    let text: String
    let path: String
    /// Without what is secret.
    let shown: String

    /// Reads what has a scheme.
    ///
    /// - Returns: nil for a path.
    /// - Throws: For an address that cannot be fetched, which is not shown: it may hold secrets.
    init?(_ argument: String) throws(UsageError) {
        let scheme = argument.prefix {
            $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0))
        }
        guard !scheme.isEmpty, argument.dropFirst(scheme.count).hasPrefix("://") else {
            return nil
        }
        do throws(CurlError) {
            let address = try WebAddress(argument)
            (text, path, shown) = (address.text, address.path, address.redacted)
        } catch {
            throw UsageError(
                "the address \(scheme.prefix(20))://… cannot be fetched: \(error.reason)",
                hint: "give an http or https address without user and password, or a file's path")
        }
    }
}

import TakeupCurl
import TakeupS3

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
        if S3Address.isMeant(by: argument) {
            guard let object = S3Address(argument), !object.key.isEmpty else {
                throw UsageError(
                    "the address \(argument.prefix(200)) cannot be fetched: it names no object",
                    hint: "write s3://BUCKET/KEY, without empty parts or dots alone")
            }
            (text, path, shown) = (object.description, "/\(object.key)", object.description)
            return
        }
        do throws(CurlError) {
            let address = try WebAddress(argument)
            (text, path, shown) = (address.text, address.path, address.redacted)
        } catch {
            throw UsageError(
                "the address \(scheme.prefix(20))://… cannot be fetched: \(error.reason)",
                hint: "give an http, https or s3 address without user and password, or a path")
        }
    }
}

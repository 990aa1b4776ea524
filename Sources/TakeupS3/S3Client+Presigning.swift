internal import TakeupCurl

extension S3Client {
    /// An address that permits to read an object to whoever has it.
    ///
    /// - Parameters:
    ///   - object: What may be read.
    ///   - now: Seconds since 1970.
    ///   - seconds: How long, 1 to `PresignedAddress.longestSeconds`.
    /// - Returns: The address; it holds a secret.
    /// - Throws: `S3Error`.
    public func presign(
        _ object: S3Address, now: Int64, seconds: Int
    ) throws(S3Error) -> String {
        do throws(CurlError) {
            return try PresignedAddress.make(
                of: object, on: endpoint, credentials, now: now, seconds: seconds)
        } catch {
            throw S3Error(
                operation: .look, kind: .invalidAnswer(error.reason), address: object,
                server: endpoint.name)
        }
    }
}

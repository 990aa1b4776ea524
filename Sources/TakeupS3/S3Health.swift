internal import Foundation

/// What a check of an object store found.
public struct S3Health: Sendable, Equatable {
    /// Seconds of one listing, from the request to its answer.
    public var roundTripSeconds = 0.0
    /// Seconds by which the server's clock is ahead of this machine's; nil where it does not say.
    public var skewSeconds: Int64?

    /// Lists, writes, reads and deletes a small object below a prefix.
    ///
    /// - Parameters:
    ///   - client: Sends the requests.
    ///   - place: The bucket and the prefix; the object's key begins with it.
    ///   - now: Seconds since 1970.
    /// - Returns: How far and how exact the server is.
    /// - Throws: `S3Error` of the first step that failed.
    public static func check(
        _ client: S3Client, _ place: S3Address, now: () -> Double
    ) throws(S3Error) -> S3Health {
        // The first request also connects.
        _ = try client.list(place.bucket, prefix: place.key, most: 1)
        let began = ContinuousClock.now
        let page = try client.list(place.bucket, prefix: place.key, most: 1)
        var health = S3Health()
        health.roundTripSeconds = (ContinuousClock.now - began) / .seconds(1)
        health.skewSeconds = page.serverTime.map { $0 - Int64(now()) }
        let prefix = place.key.isEmpty || place.key.hasSuffix("/") ? place.key : "\(place.key)/"
        let id = UUID().uuidString.lowercased()
        guard let probe = S3Address(bucket: place.bucket, key: "\(prefix)probe/\(id)") else {
            return health
        }
        let bytes = Array("takeup \(id)\n".utf8)
        try client.write(probe, bytes)
        let found: [UInt8]?
        do throws(S3Error) {
            found = try client.read(probe, most: 1024)
        } catch {
            try? client.delete(probe)
            throw error
        }
        try client.delete(probe)
        guard found == bytes else {
            throw S3Error(
                operation: .read, kind: .damaged("it read other bytes than it wrote"),
                address: probe, server: client.endpoint.name)
        }
        return health
    }
}

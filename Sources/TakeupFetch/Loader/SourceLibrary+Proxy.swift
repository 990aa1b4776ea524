public import TakeupCurl
internal import TakeupDigest

extension SourceLibrary {
    /// Returns the session of an address for readers who send fields of their own to its origin.
    ///
    /// They read it as it is: any bytes but an HTML page, such as keys and subtitles. A playlist
    /// fails with `.unsupported`, for its pieces are not joined for them. Only readers with the same fields share its bytes: nobody gets what others' rights have
    /// opened.
    ///
    /// - Parameters:
    ///   - address: An http or https address.
    ///   - fields: Replace those of the library's settings; empty for the session that everybody
    ///     shares.
    /// - Returns: The same session for the same fields, while somebody holds it.
    /// - Throws: `FetchError.denied` if the address is invalid or not permitted; `.storage`.
    public func loader(
        for address: String, sending fields: [TransferRequest.Field]
    ) throws(FetchError) -> ResourceLoader {
        var own = settings
        own.kind = .proxy
        // What the store's limit would evict at once is not worth the disk.
        own.keptBytes = [own.keptBytes, own.storeLimits?.maxBytes].compactMap(\.self).min()
        if !fields.isEmpty {
            let names = Set(fields.map { $0.name.lowercased() })
            own.originFields.removeAll { names.contains($0.name.lowercased()) }
            own.originFields += fields
            // Neither a name nor a value holds a line break.
            let lines = fields.map { "\($0.name.lowercased()): \($0.value)" }.sorted()
            let digest = SHA256Digest.of(lines.joined(separator: "\n"))
            let key = settings.key
            own.key = { address in "\(key?(address) ?? address.text)\n\(digest)" }
        }
        return try loader(WantedSource(address), settings: own, isForPlayers: true)
    }

    /// Checks whether an address may be fetched, as far as that is known before a connection.
    ///
    /// - Throws: `FetchError.denied` if it is invalid or not permitted.
    public func requirePermitted(_ address: String) throws(FetchError) {
        _ = try key(of: WantedSource(address))
    }
}

extension FetchError {
    /// Whether the origin was too slow.
    public var isTimeout: Bool {
        guard case .unreachable(let reason, _) = self else { return false }
        return [CurlError.Kind.timeout, .tooSlow].contains { reason.contains($0.words) }
    }
}

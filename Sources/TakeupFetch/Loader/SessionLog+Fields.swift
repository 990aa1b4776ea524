public import TakeupTelemetry

extension SessionLog {
    /// All known fields under their log names; sizes in bytes, times in seconds.
    public var fields: [LogField] {
        let known: [LogField?] = [
            LogField(.sessionID, sessionID), LogField(.kind, kind.rawValue), LogField(.url, url),
            LogField(.result, result), LogField(.startedAt, startedAt),
            endedAt.map { LogField(.endedAt, $0) },
            peerAddress.map { LogField(.peerAddress, $0) }, LogField(.peerChanges, peerChanges),
            startOffset.map { LogField(.startOffset, $0) },
            ttfbSeconds.map { LogField(.ttfbSeconds, $0) },
            LogField(.originRequests, originRequests), LogField(.originBytes, originBytes),
            LogField(.originSeconds, originSeconds),
        ]
        return (known + speeds + uses).compactMap(\.self)
    }

    private var speeds: [LogField?] {
        [
            observedBytesPerSecond.map { LogField("observed_bytes_per_second", Int64($0)) },
            minBytesPerSecond.map { LogField(.minBytesPerSecond, Int64($0)) },
            maxBytesPerSecond.map { LogField(.maxBytesPerSecond, Int64($0)) },
            bytesPerSecondDeviation.map { LogField(.bytesPerSecondDeviation, Int64($0)) },
        ]
    }

    private var uses: [LogField?] {
        [
            LogField(.readerStalls, readerStalls),
            LogField(.readerStallSeconds, readerStallSeconds),
            LogField(.overdueReads, overdueReads), LogField(.deliveredBytes, deliveredBytes),
            LogField(.completedBytes, completedBytes), LogField(.cacheBytes, cacheBytes),
            LogField("saved_bytes", savedBytes), LogField(.coalesced, coalesced),
            LogField(.retries, retries), LogField(.versionChanges, versionChanges),
            LogField(.discardedBytes, discardedBytes),
        ]
    }
}

extension LogField {
    fileprivate init(_ key: SessionLog.CodingKeys, _ text: String) {
        self.init(key.rawValue, text)
    }

    fileprivate init(_ key: SessionLog.CodingKeys, _ number: some BinaryInteger) {
        self.init(key.rawValue, number)
    }

    fileprivate init(_ key: SessionLog.CodingKeys, _ seconds: Double) {
        self.init(key.rawValue, seconds)
    }
}

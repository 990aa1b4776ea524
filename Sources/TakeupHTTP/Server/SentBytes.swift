/// How many bytes of a response's body went to the socket, as far as the library lets it be known.
struct SentBytes {
    /// Of the whole body; nil where it was not known.
    var length: Int64? = 0
    /// Where the body's last piece that was given to the library begins and ends.
    var given: ClosedRange<Int64> = 0...0
    /// Bytes that had been written to the socket before the response.
    var before: Int64?
    var headBytes: Int64 = 0
    /// Whether bytes of the body are written between chunk sizes.
    var isChunked = false
    /// Whether the kernel reads the body from its file, so that nothing is given piece by piece.
    var isFile = false
    /// Whether the body's source failed.
    var isBroken = false

    init() {}

    /// Bytes that this program wrote itself.
    init(raw count: Int64) {
        (length, given) = (count, count...count)
    }

    /// - Parameters:
    ///   - isComplete: Whether the response was sent to its end.
    ///   - written: Bytes that have been written to the socket until now; nil where they are not counted.
    /// - Returns: The number of bytes; of what broke off in the middle of a piece, at least those before it.
    func total(isComplete: Bool, written: Int64?) -> Int64 {
        let whole = length ?? given.upperBound
        if isComplete { return whole }
        let least = isFile ? 0 : given.lowerBound
        let most = isFile ? whole : given.upperBound
        guard let written, let before, !isChunked else { return least }
        return min(max(written - before - headBytes, least), most)
    }
}

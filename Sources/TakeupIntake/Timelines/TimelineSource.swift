internal import TakeupCurl
internal import TakeupJobs
internal import TakeupS3

/// A source as timelines name it.
enum TimelineSource {
    /// The source as it is opened later.
    ///
    /// - Parameters:
    ///   - text: A path or an address.
    ///   - folder: Where relative paths start; from the root.
    /// - Returns: A path from the root, or an address.
    /// - Throws: Why it cannot be a source.
    static func place(_ text: String, from folder: String) throws(BatchFault) -> String {
        if S3Address.isMeant(by: text) {
            guard let object = S3Address(text), !object.key.isEmpty else {
                throw BatchFault(
                    line: nil, reason: "is no object that can be fetched",
                    hint: "write s3://BUCKET/KEY")
            }
            return object.description
        }
        if SourceText.isAddress(text) {
            do throws(CurlError) {
                return try WebAddress(text).text
            } catch {
                throw BatchFault(
                    line: nil, reason: "is an address that cannot be fetched: \(error.reason)",
                    hint: "give an http or https address without user and password")
            }
        }
        if let fault = ListPath.fault(text) { throw BatchFault(line: nil, reason: fault) }
        guard !TimelineFile.isOne(text) else {
            throw BatchFault(
                line: nil, reason: "a timeline cannot hold another timeline",
                hint: "write its segments here")
        }
        return ListPath.absolute(text, from: folder)
    }

    /// Takes what other programs write for a file: a path, or a file's address with escapes.
    static func place(url: String, from folder: String) throws(BatchFault) -> String {
        if SourceText.isAddress(url) { return try place(url, from: folder) }
        var path = url
        if url.lowercased().hasPrefix("file:") {
            path = String(url.dropFirst("file:".count))
            if path.hasPrefix("//") {
                let rest = path.dropFirst(2)
                let host = rest.prefix { $0 != "/" }
                guard host.isEmpty || host.lowercased() == "localhost" else {
                    throw BatchFault(
                        line: nil, reason: "lies on the host \(QuotedWord(String(host)))")
                }
                path = String(rest.dropFirst(host.count))
            }
        } else if url.contains("://") {
            throw BatchFault(
                line: nil, reason: "is neither a file nor an http or https address",
                hint: "name a file or an http or https address")
        }
        path = path.decodingPercents ?? path
        guard !isOfWindows(path) else {
            throw BatchFault(
                line: nil, reason: "is a path of Windows: \(QuotedWord(path))",
                hint: "name the file by a path of this machine, or relative to the timeline")
        }
        return try place(path, from: folder)
    }

    /// Whether a path begins with a drive or a share.
    static func isOfWindows(_ path: String) -> Bool {
        let path = path.drop { $0 == "/" }
        return path.contains("\\")
            || path.first?.isLetter == true && path.first?.isASCII == true
                && path.dropFirst().hasPrefix(":")
    }
}

extension String {
    /// The text with its `%XX` replaced; nil where one is none, or the result is not UTF-8.
    fileprivate var decodingPercents: String? {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2).compactMap {
                Character(Unicode.Scalar($0)).hexDigitValue
            }
            guard digits.count == 2 else { return nil }
            bytes.append(UInt8(digits[0] << 4 | digits[1]))
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

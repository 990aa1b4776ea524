import TakeupCurl
internal import TakeupFields

extension ResponseJudge {
    /// An answer together with its question.
    struct Answer {
        let head: ResponseHead
        let question: OriginQuestion
        let now: HTTPDate

        var statusError: FetchError { .status(head.status, address: question.address) }

        var empty: FetchError { .notMedia("an empty body", address: question.address) }

        func invalid(_ reason: String) -> FetchError {
            .invalidResponse(reason, address: question.address)
        }

        /// The media type in lower case, without parameters; empty if the origin states none.
        var mediaType: String {
            MediaSignature.mediaType(head["content-type"])
        }

        /// Returns the value of a field that occurs once, or several times with the same value.
        func single(_ name: String) throws(FetchError) -> String? {
            let values = Set(
                head.fields.filter { $0.name == name }.map { FieldText.trimmed($0.value) })
            guard values.count <= 1 else { throw invalid("several values of \(name)") }
            return values.first
        }

        /// Returns the stated length in bytes; nil if there is none or another field overrides it.
        ///
        /// - Note: Source: RFC 9112, 6.3: a transfer coding overrides `Content-Length`.
        func contentLength() throws(FetchError) -> Int64? {
            guard head["transfer-encoding"] == nil, let text = try single("content-length")
            else { return nil }
            // A list of one value is what proxies make of a field that comes twice (RFC 9110, 8.6).
            let values = Set(text.split(separator: ",").map { FieldText.trimmed($0) })
            guard values.count == 1, let length = values.first.flatMap({ FieldText.number($0) })
            else {
                throw invalid("Content-Length is no number of bytes")
            }
            return length
        }

        /// Returns the content range; nil if there is none or it is not valid.
        func contentRange() throws(FetchError) -> ContentRange? {
            try single("content-range").flatMap { ContentRange($0) }
        }

        /// Whether the body is a part of the object by its fields, whatever the status says.
        ///
        /// - Note: RFC 9110, 14.4, gives `Content-Range` no meaning in a 200; servers that send the
        ///   part that was asked for under that status are in use all the same (`rclone serve s3`).
        ///   Only a body as long as the object is taken for a whole.
        var isPart: Bool {
            get throws(FetchError) {
                if mediaType == "multipart/byteranges" { return true }
                guard head["content-range"] != nil else { return false }
                guard let length = try contentLength() else { return true }
                return switch try contentRange() {
                case .bytes(_, let total): total != length
                case .unsatisfied(let total): total != length
                case nil: true
                }
            }
        }

        /// Throws if the body is content-coded, because its offsets then differ from the object's.
        func requirePlainBytes() throws(FetchError) {
            for field in head.fields where field.name == "content-encoding" {
                let coding = FieldText.trimmed(field.value).lowercased()
                guard coding.isEmpty || coding == "identity" else {
                    throw .notMedia("a body coded with \(coding)", address: question.address)
                }
            }
        }
    }
}

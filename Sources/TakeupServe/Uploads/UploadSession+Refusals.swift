internal import TakeupModel

extension UploadSession {
    static var tooLong: Refusal {
        Refusal(
            413,
            .request(
                "uploadTooLong", "there are more bytes than the upload was said to have",
                hint: "begin another upload"))
    }

    /// - Note: Source: RFC 4918, 11.3; tus servers answer so to a second writer.
    static var owned: Refusal {
        Refusal(
            423,
            .request(
                "uploadLocked", "the request that has begun this upload still sends its bytes",
                hint: "wait until it has ended", Failure.Ending(.temporary, .retry)),
            [("Retry-After", "5")])
    }

    static var locked: Refusal {
        Refusal(
            423,
            .request(
                "uploadLocked", "another server of this home folder writes to this upload",
                hint: "wait until its request has ended", Failure.Ending(.temporary, .retry)),
            [("Retry-After", "5")])
    }

    static func wrong(_ offset: Int64, _ stored: Int64) -> Refusal {
        Refusal(
            409,
            .request(
                "offsetWrong", "the upload has \(stored) bytes, not \(offset)",
                hint: "ask with HEAD where to go on", .outputNotCreated),
            [("Upload-Offset", "\(stored)")])
    }

    static var overtaken: Refusal {
        Refusal(
            409,
            .request(
                "uploadOvertaken", "another request goes on with this upload",
                hint: "ask with HEAD where to go on", .outputNotCreated))
    }
}

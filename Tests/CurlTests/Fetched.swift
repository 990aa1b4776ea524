import TakeupCurl

/// What one request gave, body and all.
struct Fetched {
    var result: TransferResult
    var body: [UInt8] = []
    var heads: [ResponseHead] = []

    /// Asks a server on loopback and keeps the whole answer.
    init(
        _ path: String = "/clip.mp4", from server: ScriptedServer, over transfer: Transfer? = nil,
        fields: [TransferRequest.Field] = [], limits: TransferLimits = TransferLimits()
    ) throws {
        var request = TransferRequest(
            try WebAddress("http://127.0.0.1:\(server.port)\(path)"), fields: fields, limits: limits
        ) { _, _ in true }
        request.limits.headSeconds = min(limits.headSeconds, 20)
        self = try Fetched(request, over: transfer)
    }

    init(
        _ request: TransferRequest, over transfer: Transfer? = nil,
        cancellation: TransferCancellation? = nil
    ) throws {
        var body: [UInt8] = []
        var heads: [ResponseHead] = []
        let transfer = try transfer ?? Transfer()
        result = try transfer.perform(
            request, cancellation: cancellation,
            onHead: { head in
                heads.append(head)
                return true
            },
            onBody: { bytes in
                body += bytes
                return true
            })
        (self.body, self.heads) = (body, heads)
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The kind of error that a request ends with; nil when it does not fail.
    static func kind(of body: () throws -> Fetched) throws -> CurlError.Kind? {
        do {
            _ = try body()
            return nil
        } catch let error as CurlError {
            return error.kind
        }
    }
}

internal import TakeupHTTP
internal import TakeupIntake
internal import TakeupModel

extension RoutedRequest {
    /// Answers with what `body` makes, or says why there is nothing.
    func answer(_ body: () throws(Refusal) -> HTTPResponse) -> RequestPlan {
        .answer(response(body))
    }

    /// Reads the request's body first; a longer one is refused.
    func collect(
        upTo most: Int, _ body: @escaping @Sendable ([UInt8]) throws(Refusal) -> HTTPResponse
    ) -> RequestPlan {
        .collect(upTo: most) { bytes in
            response { () throws(Refusal) in try body(bytes) }
        }
    }

    func response(_ body: () throws(Refusal) -> HTTPResponse) -> HTTPResponse {
        do throws(Refusal) {
            return try body()
        } catch {
            return error.response(to: http)
        }
    }

    /// A part of the path, by its name in the route's pattern.
    func parameter(_ name: String) -> String { parameters[name] ?? "" }
}

extension Refusal {
    func response(to request: HTTPRequest) -> HTTPResponse {
        var response = Problem.response(failure, status: status, instance: request.id)
        for (name, value) in fields { response.fields.set(name, value) }
        UploadProtocol.mark(&response, request)
        return response
    }

    /// With the status that belongs to the failure.
    init(_ failure: Failure) { self.init(Problem.status(of: failure), failure) }

    /// For what a document says and nothing can be made of.
    init(_ fault: BatchFault) {
        if fault.isForbidden {
            self.init(
                403,
                Failure(
                    exitCode: .notPermitted, code: "pathNotAllowed", stage: "request",
                    message: fault.message, hint: fault.hint ?? ""))
        } else if fault.isTemporary {
            self.init(
                503,
                Failure(
                    exitCode: .inputOutput, code: "storageFailed", stage: "request",
                    message: fault.message, hint: fault.hint ?? ""))
        } else {
            self.init(400, .request("invalidJob", fault.message, hint: fault.hint ?? ""))
        }
    }

    static func notFound(_ what: String, hint: String = "") -> Refusal {
        Refusal(404, .request("notFound", "there is no \(what)", hint: hint, .inputMissing))
    }

    /// Runs what fails as modules below do.
    static func attempt<Value>(
        _ body: () throws(Failure) -> Value
    ) throws(Refusal) -> Value {
        do throws(Failure) { return try body() } catch { throw Refusal(error) }
    }

    /// Reads what somebody has sent.
    static func reading<Value>(
        _ body: () throws(BatchFault) -> Value
    ) throws(Refusal) -> Value {
        do throws(BatchFault) {
            return try body()
        } catch {
            // Only what is no JSON has a place in its line.
            let fault = error.column == nil ? error.numbered(nil) : error
            throw Refusal(400, .request("malformedBody", fault.message, hint: fault.hint ?? ""))
        }
    }
}

extension HTTPResponse {
    static func json(
        _ value: JSONValue, status: Int = 200, _ fields: [(String, String)] = []
    ) -> HTTPResponse {
        json(text: "\(value)\n", status: status, fields)
    }

    static func json(
        text: String, status: Int = 200, _ fields: [(String, String)] = []
    ) -> HTTPResponse {
        HTTPResponse(
            status,
            [("Content-Type", "application/json"), ("Cache-Control", "no-store")] + fields,
            body: .text(text))
    }
}

internal import Foundation
package import TakeupModel

private struct AddressDocument: Decodable {
    var url: String
}

extension ServerClient {
    /// The address under which players read a remote file through the server.
    package func proxyURL(
        of address: String, headers: [String], expires: String?
    ) throws(Failure) -> String {
        var members: [JSONValue.Member] = [.init(key: "url", value: .text(address))]
        if !headers.isEmpty {
            members.append(.init(key: "headers", value: .list(headers.map(JSONValue.text))))
        }
        if let expires { members.append(.init(key: "expires", value: .text(expires))) }
        return try read(
            Question("POST", "/v1/proxy", .object(members)), as: AddressDocument.self
        ).url
    }

    /// Asks, and reads the answer as JSON.
    func read<Value: Decodable>(
        _ question: Question, as type: Value.Type = Value.self
    ) throws(Failure) -> Value {
        let answer = try ask(question)
        do {
            return try JSONDecoder().decode(Value.self, from: Data(answer.body))
        } catch {
            throw Failure.unreadable("something else than was asked for", from: server)
        }
    }

    /// The same; nil for what is not there.
    func find<Value: Decodable>(
        _ question: Question, as type: Value.Type = Value.self
    ) throws(Failure) -> Value? {
        do throws(Failure) {
            return try read(question)
        } catch {
            guard error.exitCode == .inputMissing else { throw error }
            return nil
        }
    }
}

extension ServerClient.Question {
    /// With a body of JSON.
    init(_ method: String, _ path: String, _ body: JSONValue) {
        self.init(method, path)
        self.body = Array("\(body)".utf8)
        fields = [("Content-Type", "application/json")]
    }
}

import CTakeupPostgres
import Foundation
import TakeupPostgres

/// Sends a claim and an end by libpq alone, and reads nothing but what the next statement needs.
final class BareLoop {
    private let connection: OpaquePointer
    private var token = ""
    private var sequence: String?
    private var job = ""
    private let isPreparing: Bool
    /// Statements that the server has planned.
    private var names: [String: String] = [:]

    /// - Parameters:
    ///   - address: The server's.
    ///   - isPreparing: Whether the server plans each statement once, as it does for the store.
    init(_ address: String, isPreparing: Bool) throws {
        self.isPreparing = isPreparing
        guard takeup_pg_library() != nil else { throw BenchmarkFailure("there is no libpq") }
        let (keys, values) = (Texts(["dbname"]), Texts([address]))
        guard let connection = takeup_PQconnectdbParams(keys.pointers, values.pointers, 1),
            takeup_PQstatus(connection) == Int32(takeup_pg_connection_ok)
        else { throw BenchmarkFailure("the server does not answer") }
        self.connection = connection
        takeup_PQclear(takeup_PQexec(connection, PostgresSettings.plans))
    }

    deinit { takeup_PQfinish(connection) }

    /// - Returns: Whether there was a job.
    func pair(_ statements: [BareStatement]) throws -> Bool {
        sequence = nil
        for statement in statements {
            if statement.text.hasPrefix("UPDATE"), sequence == nil {
                takeup_PQclear(takeup_PQexec(connection, "COMMIT"))
                return false
            }
            let answer = send(statement)
            defer { takeup_PQclear(answer) }
            let status = Int(takeup_PQresultStatus(answer))
            guard status == takeup_pg_command_ok || status == takeup_pg_tuples_ok else {
                throw BenchmarkFailure(String(cString: takeup_PQerrorMessage(connection)))
            }
            guard takeup_PQntuples(answer) > 0 else { continue }
            if statement.text.hasPrefix("SELECT nextval") { token = text(answer) }
            // The description begins the row, and has the job's name.
            if statement.text.hasPrefix("SELECT spec") {
                sequence = text(answer, takeup_PQfnumber(answer, "sequence"))
                job = try name(in: text(answer))
            }
        }
        return true
    }

    private func send(_ statement: BareStatement) -> OpaquePointer? {
        guard let values = statement.values else {
            return takeup_PQexec(connection, statement.text)
        }
        var (types, texts): ([UInt32], [String?]) = ([], [])
        for value in values {
            switch value {
            case .same(let type, let text): (types, texts) = (types + [type], texts + [text])
            case .token: (types, texts) = (types + [20], texts + [token])
            case .sequence: (types, texts) = (types + [20], texts + [sequence])
            case .job: (types, texts) = (types + [25], texts + [job])
            }
        }
        let sent = Texts(texts)
        let count = Int32(types.count)
        guard isPreparing else {
            return takeup_PQexecParams(
                connection, statement.text, count, types, sent.pointers, nil, nil, 0)
        }
        let name = names[statement.text] ?? "bare_\(names.count)"
        if names.updateValue(name, forKey: statement.text) == nil {
            takeup_PQclear(
                takeup_PQprepare(connection, name, statement.text, count, types))
        }
        return takeup_PQexecPrepared(connection, name, count, sent.pointers, nil, nil, 0)
    }

    private func text(_ answer: OpaquePointer?, _ column: Int32 = 0) -> String {
        takeup_PQgetvalue(answer, 0, column).map { String(cString: $0) } ?? ""
    }

    private func name(in spec: String) throws -> String {
        guard let start = spec.range(of: "\"id\":\"")?.upperBound else {
            throw BenchmarkFailure("a job has no name: \(spec)")
        }
        return String(spec[start...].prefix { $0 != "\"" })
    }

    /// Texts as C takes them, freed with the object.
    private final class Texts {
        let pointers: [UnsafePointer<CChar>?]

        init(_ texts: [String?]) {
            pointers = texts.map { $0.flatMap { UnsafePointer(strdup($0)) } } + [nil]
        }

        deinit { for pointer in pointers { free(UnsafeMutablePointer(mutating: pointer)) } }
    }
}

import Foundation
import TakeupModel
import TakeupSQL
import TestSupport
import Testing

@testable import takeup

/// What a database refuses, told by `database check` and `doctor` as the other commands would.
@Suite("A database that cannot be used")
struct FleetRightsTests {
    private let bench: TestBench
    private let address: String
    private let schema: String
    private let owner: any SQLConnection

    init() throws {
        bench = try TestBench()
        owner = try TestDatabase.postgres.database(in: bench.folder).connect(.full)
        address = try TestDatabase.address(for: bench.folder)
        schema = try owner.query("SELECT current_schema()") { $0.text(0) }[0]
    }

    private func run(_ line: String, database: String? = nil) async -> (ExitCode, String) {
        let bench = bench
        let words = line.split(separator: " ").map(String.init)
        let code = await Program.run(
            words + ["--home", "home", "--cache", "cache", "--database", database ?? address],
            in: bench.context())
        return (code, bench.output.text + bench.diagnostics.text)
    }

    /// A role that may do this in the schema, and the address with its name.
    private func role(_ name: String, _ grants: String...) throws -> String {
        let role = "\(name)_\(schema)".suffix(60)
        try owner.execute("CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA \(schema) TO \(role)")
        for grant in grants { try owner.execute("GRANT \(grant) TO \(role)") }
        return address.replacing("takeup@", with: "\(role)@")
    }

    @Test("tables of a later version end the check with 78")
    func laterVersion() async throws {
        #expect(await run("submit a.mov").0 == .success)
        try owner.execute("UPDATE migration SET version = version + 1")
        let (code, text) = await run("database check")
        #expect(code == .configuration && text.contains("later version"), "\(text)")
        let file = "sqlite:\(bench.folder)/takeup.db"
        #expect(await run("submit a.mov", database: file).0 == .success)
        try TestDatabase.sqlite.database(in: bench.folder).connect(.full)
            .execute("UPDATE migration SET version = version + 1")
        #expect(await run("database check", database: file).0 == .configuration)
    }

    @Test("a user who may only read ends it with 77, and doctor fails")
    func reader() async throws {
        #expect(await run("submit a.mov").0 == .success)
        let reader = try role("reader", "SELECT ON ALL TABLES IN SCHEMA \(schema)")
        let (code, text) = await run("database check", database: reader)
        #expect(code == .notPermitted, "\(text)")
        #expect(text.contains("may not read and write job, job_token_number, worker"), "\(text)")
        let (doctor, said) = await run("doctor", database: reader)
        #expect(doctor != .success && said.contains("may not read and write"), "\(said)")
        let writer = try role(
            "writer", "SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema)",
            "USAGE ON ALL SEQUENCES IN SCHEMA \(schema)",
            "CREATE ON SCHEMA \(schema)")
        let (fine, words) = await run("database check", database: writer)
        // The tests' server does not sync.
        #expect(fine == .failed && words.contains("jobs: 1"), "\(words)")
    }

    @Test("a user who may make no tables ends it with 77 while there are none")
    func noTables() async throws {
        let guest = try role("guest")
        let (code, text) = await run("database check", database: guest)
        #expect(code == .notPermitted && text.contains("may not make tables"), "\(text)")
        let (doctor, said) = await run("doctor", database: guest)
        #expect(doctor != .success && said.contains("may not make tables"), "\(said)")
        let (none, words) = await run("database check")
        #expect(none == .inputMissing, "\(words)")
    }
}

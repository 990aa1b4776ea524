import Foundation
import TakeupJobs
import TakeupLanes
import TakeupModel
import TakeupPostgres
import TakeupSQL
import TestSupport
import Testing

/// What a server, a database or a role sets otherwise than the code needs it.
extension JobStoreConformance {
    @Test(
        "a stricter isolation that the server sets changes nothing",
        arguments: ["repeatable read", "serializable"])
    func isolation(level: String) throws {
        let folder = try TemporaryDirectory()
        _ = try StoreKind.postgres.database(in: folder.path)
        let word = level.replacing(" ", with: "%5C%20")
        let address =
            try TestDatabase.address(for: folder.path)
            + "%20-cdefault_transaction_isolation%3D\(word)%20-cstandard_conforming_strings%3Doff"
            + "%20-cextra_float_digits%3D0"
        let database = try #require(PostgresDatabase(address: address))
        let (errors, ended) = (Locked<[String]>([]), Locked(0))
        let group = LaneGroup()
        for number in 0..<6 {
            group.start("open \(number)") {
                do {
                    // All of them find no tables.
                    let store = try SQLJobStore(database)
                    let worker = WorkerID(rawValue: "w\(number)")
                    for index in 0..<5 {
                        _ = try store.submit([StoreTrial.spec("\(number) \(index)")])
                        guard let (lease, _) = try store.claim(by: worker, leaseSeconds: 30)
                        else { continue }
                        _ = try store.begin(lease, workKey: "k")
                        _ = try store.finish(lease, .succeeded(StoreTrial.result))
                        ended.withLock { $0 += 1 }
                    }
                } catch {
                    errors.withLock { $0.append("\(error)") }
                }
            }
        }
        group.wait()
        #expect(errors.withLock { $0 } == [])
        #expect(ended.withLock { $0 } > 0)
        let connection = try database.connect(.full)
        let shown = try connection.transaction { () throws(SQLError) in
            try connection.query(
                """
                SELECT current_setting('transaction_isolation'),
                    current_setting('standard_conforming_strings'),
                    current_setting('extra_float_digits')
                """
            ) { [$0.text(0), $0.text(1), $0.text(2)] }
        }
        #expect(shown == [["read committed", "on", "1"]])
    }

    @Test("a user without a schema is told what to change")
    func noSchema() throws {
        let address = try PostgresServer.shared.get().address(schema: "nowhere_to_be_found")
        let database = try #require(PostgresDatabase(address: address))
        let errors = [
            #expect(throws: JobStoreError.self) { _ = try SQLJobStore(database) },
            #expect(throws: JobStoreError.self) { _ = try SQLJobStore.isMade(in: database) },
        ]
        for error in errors {
            let failure = Failure(try #require(error))
            #expect(failure.exitCode == .configuration)
            #expect(failure.message.contains("search_path"))
            #expect(failure.hint.contains("ALTER ROLE"))
        }
    }

    @Test("a database that cannot hold every name is refused; one of bytes works")
    func encodings() throws {
        let server = try PostgresServer.shared.get().address(schema: "public")
        let owner = try #require(PostgresDatabase(address: server)).connect(.full)
        func database(_ encoding: String) throws -> PostgresDatabase {
            let name = "\(encoding.lowercased())_\(getpid())"
            try owner.execute(
                "CREATE DATABASE \(name) ENCODING '\(encoding)' TEMPLATE template0 LOCALE 'C'")
            return try #require(
                PostgresDatabase(address: server.replacing("/postgres?", with: "/\(name)?")))
        }
        let latin = try database("LATIN1")
        let error = #expect(throws: JobStoreError.self) { _ = try SQLJobStore(latin) }
        let failure = Failure(try #require(error))
        #expect(failure.exitCode == .configuration)
        #expect(failure.message.contains("LATIN1") && failure.hint.contains("UTF8"))
        let store = try SQLJobStore(try database("SQL_ASCII"))
        let names = ["j\u{10FFFD}", "j\u{e4}"]
        _ = try store.submit(
            names.map { StoreTrial.spec($0, source: "/in/\($0).mov") } + [StoreTrial.spec("k")])
        var listing = JobListing()
        listing.idPrefix = "j"
        #expect(Set(try store.list(listing).records.map(\.id.rawValue)) == Set(names))
    }
}

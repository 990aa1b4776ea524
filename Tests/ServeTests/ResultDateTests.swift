import Foundation
import TakeupCache
import TakeupSQL
import TakeupSQLite
import TakeupService
import TestSupport
import Testing

@testable import TakeupServe

@Suite("Results by date, and while the database is held")
struct ResultDateTests {
    @Test("a date names one result: another one in its place is sent, also an older one")
    func dates() throws {
        let trial = try MediaTrial()
        try trial.result([1, 2, 3], as: "film")
        let url = "\(trial.base)/media/film.mp4"
        let date = try #require(try trial.curl(url).fields["last-modified"])
        #expect(date == "Tue, 14 Nov 2023 22:13:20 GMT")
        #expect(try trial.curl(url, "-H", "If-Modified-Since: \(date)").status == 304)
        let later = "Tue, 14 Nov 2023 22:13:21 GMT"
        let reply = try trial.curl(url, "-H", "If-Modified-Since: \(later)")
        #expect(reply.status == 200 && reply.body == [1, 2, 3])
    }

    @Test("a result is served while another program holds the database; its use is counted later")
    func held() throws {
        let trial = try MediaTrial()
        try trial.result([1, 2, 3], as: "film")
        let holder = try SQLiteConnection(
            path: trial.tools.places.localDatabase, durability: .normal)
        try holder.execute("BEGIN IMMEDIATE")
        let began = ContinuousClock.now
        let reply = try trial.curl("\(trial.base)/media/film.mp4")
        #expect(reply.status == 200 && reply.body == [1, 2, 3])
        #expect(ContinuousClock.now - began < .seconds(8))
        try holder.execute("ROLLBACK")
        let end = ContinuousClock.now + .seconds(30)
        while try trial.tools.cache.manifest.entry(named: "film")?.hits != 1 {
            try #require(ContinuousClock.now < end)
            usleep(10_000)
        }
    }
}

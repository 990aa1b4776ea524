import TakeupCache
import Testing

@Suite("Cache statistics")
struct CacheStatisticsTests {
    @Test("multiplies requests by size to data saved")
    func savings() {
        var statistics = CacheStatistics()
        #expect(statistics.savings == "no hits yet")
        for _ in 0..<20_300 {
            statistics.hits += 1
            statistics.bytesSaved += 2_400_000
        }
        #expect(statistics.bytesSaved == 48_720_000_000)
        #expect(statistics.savings == "20300 hits × 2.4 MB = 48.72 GB saved")
        statistics.bytesSaved += 1
        #expect(statistics.savings == "20300 hits × about 2.4 MB = 48.72 GB saved")
    }

    @Test(
        "says sizes shortly",
        arguments: [
            (1, "1 byte"), (999, "999 bytes"), (1000, "1 kB"), (1049, "1.04 kB"),
            (2_500_000, "2.5 MB"), (Int64.max, "9.22 EB"),
        ])
    func sizes(bytes: Int64, text: String) {
        var statistics = CacheStatistics()
        (statistics.hits, statistics.bytesSaved) = (1, bytes)
        #expect(statistics.savings == "1 hit × \(text) = \(text) saved")
    }
}

/// Why a benchmark has no figures.
struct BenchmarkFailure: Error {
    let reason: String
}

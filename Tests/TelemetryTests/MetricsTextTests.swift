import TakeupTelemetry
import Testing

@Suite("MetricsText")
struct MetricsTextTests {
    @Test("a family is its help, its kind and its numbers")
    func text() {
        var metrics = Metrics()
        metrics.gauge("jobs", 2, "Jobs.", Metrics.Label("state", "queued"))
        metrics.counter("bytes_total", 1.5, "Bytes\nand \\.")
        metrics.gauge("jobs", -0.25, "Jobs.", Metrics.Label("state", "running"))
        metrics.summary("claim_seconds", sum: 0.5, count: 3, "Claims.")
        #expect(
            MetricsText(metrics).description == #"""
                # HELP jobs Jobs.
                # TYPE jobs gauge
                jobs{state="queued"} 2
                jobs{state="running"} -0.25
                # HELP bytes_total Bytes\nand \\.
                # TYPE bytes_total counter
                bytes_total 1.5
                # HELP claim_seconds Claims.
                # TYPE claim_seconds summary
                claim_seconds_sum 0.5
                claim_seconds_count 3

                """#)
    }

    @Test("a label of the program comes before all others, on every number")
    func everywhere() {
        var metrics = Metrics()
        metrics.gauge("a", 1, "A.", Metrics.Label("f", "g"))
        metrics.summary("b", sum: 2, count: 3, "B.")
        let text = MetricsText(metrics, everywhere: Metrics.Label("command", "watch")).description
        #expect(
            text.split(separator: "\n").filter { !$0.hasPrefix("#") } == [
                #"a{command="watch",f="g"} 1"#, #"b_sum{command="watch"} 2"#,
                #"b_count{command="watch"} 3"#,
            ])
    }

    @Test("what would break a label is escaped, and numbers are written as Prometheus reads them")
    func escaped() {
        var metrics = Metrics()
        let path = "/a \"b\"\\\né"
        metrics.gauge("a", 1e18, "A.", Metrics.Label("f", path), Metrics.Label("g", ""))
        metrics.gauge("b", .nan, "B.")
        metrics.gauge("c", -.infinity, "C.")
        metrics.gauge("d", 8_589_934_592, "D.")
        let lines = MetricsText(metrics).description.split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
        #expect(
            lines == [#"a{f="/a \"b\"\\\né",g=""} 1e+18"#, "b NaN", "c -Inf", "d 8589934592"])
    }
}

/// Metrics as Prometheus and its node exporter read them.
///
/// Note: Source: Prometheus text exposition format, version 0.0.4.
public struct MetricsText: Sendable, CustomStringConvertible {
    private let metrics: Metrics
    private let constant: [Metrics.Label]

    /// - Parameters:
    ///   - metrics: All that is told.
    ///   - constant: What every number has before its own labels, so that files of several programs do not collide.
    public init(_ metrics: Metrics, everywhere constant: Metrics.Label...) {
        (self.metrics, self.constant) = (metrics, constant)
    }

    public var description: String {
        metrics.families.map(text).joined()
    }

    private func text(_ family: Metrics.Family) -> String {
        let lines = family.samples.map { sample in
            "\(family.name)\(sample.suffix)\(Self.labels(constant + sample.labels)) "
                + "\(Self.number(sample.value))\n"
        }
        let help = Self.escaped(family.help, quotes: false)
        return "# HELP \(family.name) \(help)\n# TYPE \(family.name) \(family.kind.rawValue)\n"
            + lines.joined()
    }

    private static func labels(_ labels: [Metrics.Label]) -> String {
        guard !labels.isEmpty else { return "" }
        let pairs = labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }
        return "{\(pairs.joined(separator: ","))}"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        // Without a fraction where there is none, as far as a number is exact.
        let limit = 9_007_199_254_740_992.0
        return value == value.rounded() && abs(value) < limit ? "\(Int64(value))" : "\(value)"
    }
}

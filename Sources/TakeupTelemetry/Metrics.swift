/// What a program measures, at one moment: families of numbers, each with a name, a kind and an explanation.
public struct Metrics: Sendable, Equatable {
    public enum Kind: String, Sendable {
        case gauge, counter
        /// A sum of many values and their count.
        case summary
        /// How many values are at most so large.
        case histogram
    }

    /// One number, told from others of its family by labels.
    public struct Sample: Sendable, Equatable {
        /// `_sum`, `_count` or `_bucket` of a summary or a histogram; else empty.
        public let suffix: String
        public let labels: [Label]
        public let value: Double
    }

    public struct Label: Sendable, Equatable {
        public let name: String
        public let value: String

        public init(_ name: String, _ value: String) {
            (self.name, self.value) = (name, value)
        }
    }

    public struct Family: Sendable, Equatable {
        public let name: String
        public let kind: Kind
        public let help: String
        public var samples: [Sample]
    }

    /// In the order in which they came first.
    public private(set) var families: [Family] = []

    public init() {}

    /// Adds a number that may go up and down.
    public mutating func gauge(_ name: String, _ value: Double, _ help: String, _ labels: Label...)
    {
        add(name, .gauge, help, Sample(suffix: "", labels: labels, value: value))
    }

    /// Adds a number that only goes up; its name ends with `_total`.
    public mutating func counter(
        _ name: String, _ value: Double, _ help: String, _ labels: Label...
    ) {
        precondition(name.hasSuffix("_total"), "a counter's name ends with _total")
        add(name, .counter, help, Sample(suffix: "", labels: labels, value: value))
    }

    /// Adds what many values come to.
    public mutating func summary(_ name: String, sum: Double, count: Double, _ help: String) {
        add(name, .summary, help, Sample(suffix: "_sum", labels: [], value: sum))
        add(name, .summary, help, Sample(suffix: "_count", labels: [], value: count))
    }

    /// Adds how values are spread.
    public mutating func histogram(
        _ name: String, _ histogram: Histogram, _ help: String, _ labels: Label...
    ) {
        for (bound, count) in histogram.buckets {
            let limit = Label("le", bound.isInfinite ? "+Inf" : "\(bound)")
            add(
                name, .histogram, help,
                Sample(suffix: "_bucket", labels: labels + [limit], value: Double(count)))
        }
        let count = Double(histogram.count)
        add(name, .histogram, help, Sample(suffix: "_sum", labels: labels, value: histogram.sum))
        add(name, .histogram, help, Sample(suffix: "_count", labels: labels, value: count))
    }

    /// The same numbers without a label of theirs.
    public func without(label name: String) -> Metrics {
        var metrics = self
        for index in metrics.families.indices {
            metrics.families[index].samples = metrics.families[index].samples.map { sample in
                Sample(
                    suffix: sample.suffix, labels: sample.labels.filter { $0.name != name },
                    value: sample.value)
            }
        }
        return metrics
    }

    private mutating func add(_ name: String, _ kind: Kind, _ help: String, _ sample: Sample) {
        precondition(Self.isName(name), "\(name) is no name of a metric")
        precondition(sample.labels.allSatisfy { Self.isName($0.name) }, "a label has a plain name")
        if let index = families.firstIndex(where: { $0.name == name }) {
            families[index].samples.append(sample)
        } else {
            families.append(Family(name: name, kind: kind, help: help, samples: [sample]))
        }
    }

    private static func isName(_ text: String) -> Bool {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isPlain && text.first?.isNumber == false
    }
}

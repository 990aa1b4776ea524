extension MediaTime: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    public init(integerLiteral value: Int64) { self.init(seconds: value) }
    public init(floatLiteral value: Double) { self.init(seconds: value) }
}

extension MediaTime {
    /// Parses seconds (`12.5`), a clock time (`1:02:03.250`, `2:03`) or an exact fraction
    /// (`1001/30000`).
    ///
    /// Decimals behind the ninth round it: programs write `0.10070000000000001`.
    ///
    /// - Returns: nil for anything else. Examples: a sign, more than 39 decimals, minutes or
    ///   seconds of 60 or more after a colon, a zero denominator, or a number that does not fit.
    public init?(parsing text: some StringProtocol) {
        if text.contains("/") {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, let top = Self.digits(parts[0]),
                let bottom = Self.digits(parts[1]), bottom > 0
            else { return nil }
            self.init(value: top, timescale: bottom)
            return
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), let last = parts.last,
            let seconds = Self.decimal(last)
        else { return nil }
        var total = seconds
        var unit: Int64 = 60
        for (index, part) in parts.dropLast().reversed().enumerated() {
            guard let number = Self.digits(part), number < 1_000_000 else { return nil }
            if index == 0, parts.count == 3, number >= 60 { return nil }
            total = total + MediaTime(seconds: number * unit)
            unit *= 60
        }
        if parts.count > 1, let whole = Self.digits(last.prefix { $0 != "." }), whole >= 60 {
            return nil
        }
        self = total
    }

    private static func digits(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy(isDigit) else { return nil }
        return Int64(text)
    }

    private static func isDigit(_ character: UInt8) -> Bool { (0x30...0x39).contains(character) }

    private static func decimal(_ text: some StringProtocol) -> MediaTime? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = digits(parts[0]),
            whole < 1_000_000_000
        else { return nil }
        guard parts.count == 2 else { return MediaTime(seconds: whole) }
        let decimals = parts[1].prefix(9)
        let rest = parts[1].dropFirst(9)
        guard let fraction = digits(decimals), rest.utf8.count <= 30,
            rest.utf8.allSatisfy(isDigit)
        else { return nil }
        var scale: Int64 = 1
        for _ in 0..<decimals.utf8.count { scale *= 10 }
        let rounded = fraction + (rest.first.map { $0 >= "5" } == true ? 1 : 0)
        return MediaTime(seconds: whole) + MediaTime(value: rounded, timescale: scale)
    }
}

/// Numbers as text, always with a point, whatever the locale.
package enum Decimals {
    /// A number with about as many significant digits as asked for.
    package static func text(_ value: Double, digits: Int) -> String {
        var places = max(digits - 1, 0)
        var limit = 10.0
        while places > 0, abs(value) >= limit { (places, limit) = (places - 1, limit * 10) }
        return fixed(value, places: places)
    }

    /// A number with at most so many places, without zeros at the end.
    package static func shortest(_ value: Double, places: Int) -> String {
        var text = fixed(value, places: places)
        guard text.contains(".") else { return text }
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }

    /// A number with exactly so many places; one that is not finite or not sensible is a dash.
    package static func fixed(_ value: Double, places: Int) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "-" }
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let scaled = Int64((abs(value) * scale).rounded())
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(scaled)" }
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: Int64(scale))
        let fraction = String(rest)
        let zeros = String(repeating: "0", count: places - fraction.count)
        return "\(sign)\(whole).\(zeros)\(fraction)"
    }
}

import Foundation

/// What the standard streams are connected to, and what they can show.
struct TerminalFacts: Sendable, Equatable {
    var outputIsTerminal = false
    var diagnosticsIsTerminal = false
    /// Whether a line can be redrawn and coloured at all.
    var isDumb = false
    /// Whether bars and arrows beyond ASCII can be shown.
    var showsUnicode = true

    static func current(_ environment: [String: String]) -> TerminalFacts {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy
            .compactMap { environment[$0] }.first { !$0.isEmpty }
        let encoding = (locale ?? "").lowercased()
        return TerminalFacts(
            outputIsTerminal: isatty(STDOUT_FILENO) == 1,
            diagnosticsIsTerminal: isatty(STDERR_FILENO) == 1,
            isDumb: environment["TERM"].map { $0 == "dumb" || $0.isEmpty } ?? true,
            showsUnicode: encoding.contains("utf-8") || encoding.contains("utf8"))
    }

    /// Columns of the terminal behind standard error, now; 80 when it does not say.
    static func columns() -> Int {
        size().map(\.columns).flatMap { $0 > 0 ? $0 : nil } ?? 80
    }

    /// Its rows, now; 24 when it does not say.
    static func rows() -> Int { size().map(\.rows).flatMap { $0 > 0 ? $0 : nil } ?? 24 }

    private static func size() -> (rows: Int, columns: Int)? {
        // As `winsize` begins, a type that two of Swift's own modules declare.
        var size = [UInt16](repeating: 0, count: 4)
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        return (Int(size[0]), Int(size[1]))
    }
}

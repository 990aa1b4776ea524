/// Colours text, or leaves it alone.
struct Palette: Sendable, Equatable {
    enum Color: String, Sendable {
        case red = "31"
        case green = "32"
        case yellow = "33"
        case bold = "1"
    }

    let isOn: Bool

    /// Decides by `auto`, `always` or `never`, as `--color` has it.
    init(mode: String, isTerminal: Bool, environment: [String: String]) {
        switch mode {
        case "always": isOn = true
        case "never": isOn = false
        default:
            let refuses = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
            let term = environment["TERM"] ?? ""
            isOn = isTerminal && !refuses && term != "dumb" && !term.isEmpty
        }
    }

    func paint(_ text: String, _ color: Color) -> String {
        isOn ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
    }
}

import TakeupModel
import TakeupTimeline

/// Draws a timeline as an SVG picture, which readers show in their own light or dark colours.
enum TimelineSVG {
    private static let width = 1000.0
    private static let margin = 110.0
    private static let edge = 16.0
    private static let rowHeight = 30.0
    private static let rowDistance = 38.0
    private static let top = 44.0
    /// A narrower bar could not be seen or pointed at.
    private static let leastBar = 3.0
    /// Of the letters in bars: 11 px sans-serif, rather too wide than too narrow.
    private static let letter = 6.4
    private static let widthOfMark = 80.0

    /// Returns the whole document.
    ///
    /// - Parameters:
    ///   - picture: What to draw.
    ///   - title: What the picture is called.
    /// - Returns: XML without an end of line.
    static func text(_ picture: TimelinePicture, title: String) -> String {
        let room = width - margin - edge
        let scale = picture.seconds > 0 ? room / picture.seconds : 0
        let bottom = top + Double(picture.rows.count) * rowDistance
        let height = bottom + 34
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(number(width)) \#(number(height))""#
                + #" width="\#(number(width))" height="\#(number(height))" role="img">"#,
            "<title>\(escaped(title))</title>", style, patterns,
            #"<rect class="page" width="100%" height="100%"/>"#,
        ]
        lines += ruler(picture.seconds, scale, room, bottom)
        for (place, row) in picture.rows.enumerated() {
            lines += drawn(row, scale, room, top + Double(place) * rowDistance)
        }
        lines += legend(picture, bottom + 10)
        return (lines + ["</svg>"]).joined(separator: "\n")
    }

    private static func ruler(
        _ seconds: Double, _ scale: Double, _ room: Double, _ bottom: Double
    ) -> [String] {
        let ruler = TimelineRuler(seconds: seconds, most: Int(room / widthOfMark))
        return ruler.marks.flatMap { mark in
            let x = number(margin + mark * scale)
            return [
                #"<line class="mark" x1="\#(x)" y1="28" x2="\#(x)" y2="\#(number(bottom))"/>"#,
                text("time", margin + mark * scale, 22, ruler.label(mark)),
            ]
        }
    }

    private static func drawn(
        _ row: TimelinePicture.Row, _ scale: Double, _ room: Double, _ y: Double
    ) -> [String] {
        let (place, height) = (number(y), number(rowHeight))
        var lines = [
            "<g><title>\(escaped(row.detail))</title>",
            text("row", edge, y + 20, row.name), rect("empty", margin, y, room) + "</g>",
        ]
        let bars = row.merged(narrowerThan: scale > 0 ? leastBar / scale : 0)
        let blends = row.blends(beside: bars)
        for bar in bars {
            let x = number(margin + bar.start * scale)
            let width = max(1, (bar.end - bar.start) * scale)
            // The name is behind the transition with which the bar begins.
            let inset =
                blends.filter { $0.start <= bar.start && bar.start < $0.end }
                .map { ($0.end - bar.start) * scale }.max() ?? 0
            let name = fitted(bar.name, width - inset)
            // A nested picture cuts off what lies beyond its edges.
            lines.append(
                #"<svg x="\#(x)" y="\#(place)" width="\#(number(width))" height="\#(height)">"#
                    + "<title>\(escaped(bar.detail))</title>"
                    + #"<rect class="\#(bar.making.rawValue)" x="0.5" y="0.5" rx="3""#
                    + #" width="\#(number(max(0.5, width - 1)))""#
                    + #" height="\#(number(rowHeight - 1))"/>"#
                    + (name.isEmpty ? "" : text("name", inset + 6, 19, name)) + "</svg>")
        }
        for blend in blends {
            let width = max(1, (blend.end - blend.start) * scale)
            lines.append(
                "<g><title>\(escaped(blend.name))</title>"
                    + rect("blend", margin + blend.start * scale, y, width) + "</g>")
        }
        return lines
    }

    private static func legend(_ picture: TimelinePicture, _ y: Double) -> [String] {
        let makings = Set(picture.rows.flatMap(\.bars).map(\.making))
        var words = TimelinePicture.Making.allCases.filter(makings.contains).map(\.rawValue)
        if picture.rows.contains(where: { !$0.blends.isEmpty }) { words.append("blend") }
        return (words + ["empty"]).enumerated().flatMap { place, word in
            let x = margin + Double(place) * 110
            let name = word == "blend" ? "transition" : word == "empty" ? "nothing" : word
            return [
                rect(word, x, y, 14, height: 14), text("time", x + 20, y + 11, name),
            ]
        }
    }

    private static func text(_ style: String, _ x: Double, _ y: Double, _ text: String) -> String {
        #"<text class="\#(style)" x="\#(number(x))" y="\#(number(y))">\#(escaped(text))</text>"#
    }

    private static func rect(
        _ style: String, _ x: Double, _ y: Double, _ width: Double, height: Double = rowHeight
    ) -> String {
        #"<rect class="\#(style)" x="\#(number(x))" y="\#(number(y))""#
            + #" width="\#(number(width))" height="\#(number(height))"/>"#
    }

    private static func fitted(_ name: String, _ width: Double) -> String {
        let columns = Int((width - 10) / letter)
        guard name.displayWidth > columns else { return name }
        return columns < 3 ? "" : name.fitted(to: columns - 1) + "…"
    }

    /// At most two places: a picture needs no more.
    private static func number(_ value: Double) -> String { Decimals.shortest(value, places: 2) }

    /// Text between tags: no control character, and no character that XML 1.0 does not have.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.escaped.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static let style = """
        <style>
        svg { --page: #ffffff; --ink: #1f2328; --soft: #59636e; --line: #d1d9e0;
          --encoded: #ffe1b3; --encoded-edge: #9a6700; --copied: #c6efce; --copied-edge: #1a7f37; }
        @media (prefers-color-scheme: dark) {
          svg { --page: #0d1117; --ink: #f0f6fc; --soft: #9198a1; --line: #3d444d;
            --encoded: #5c4008; --encoded-edge: #d29922; --copied: #12482a; --copied-edge: #3fb950; } }
        text { font: 11px system-ui, sans-serif; fill: var(--ink); }
        .page { fill: var(--page); } .mark { stroke: var(--line); }
        .time { fill: var(--soft); } .row { font-weight: 600; }
        .empty { fill: none; stroke: var(--line); stroke-dasharray: 3 3; }
        .encoded { fill: var(--encoded); stroke: var(--encoded-edge); }
        .copied { fill: var(--copied); stroke: var(--copied-edge); }
        .both { fill: url(#both); stroke: var(--ink); }
        .blend { fill: url(#blend); stroke: var(--ink); stroke-width: 0.5; }
        .stripe { stroke: var(--ink); stroke-width: 1; opacity: 0.5; }
        .ground { fill: var(--encoded); } .ribbon { fill: var(--copied); }
        </style>
        """

    private static let patterns = """
        <defs>
        <pattern id="blend" width="6" height="6" patternUnits="userSpaceOnUse">\
        <path class="stripe" d="M0 0L6 6M0 6L6 0"/></pattern>
        <pattern id="both" width="8" height="8" patternUnits="userSpaceOnUse">\
        <rect class="ground" width="8" height="8"/><rect class="ribbon" width="4" height="8"/></pattern>
        </defs>
        """
}

internal import Foundation

/// What an output's name is made of.
public struct OutputSource: Sendable, Equatable {
    private let folder: String
    private let name: String
    private let preset: String
    private let date: DateComponents

    /// - Parameters:
    ///   - path: The source's, from the watched folder on, with `/` between names.
    ///   - preset: A `/` in it becomes `-`.
    ///   - secondsSince1970: Of the date, which is that of UTC.
    public init(path: String, preset: String, secondsSince1970: Double) {
        let names = path.unicodeScalars.split(separator: "/").map { String($0) }
        name = names.last ?? "_"
        folder = names.dropLast().joined(separator: "/")
        self.preset = String(
            String.UnicodeScalarView(preset.unicodeScalars.map { $0 == "/" ? "-" : $0 }))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        date = calendar.dateComponents(
            [.year, .month, .day], from: Date(timeIntervalSince1970: secondsSince1970))
    }

    func value(of placeholder: OutputTemplate.Placeholder) -> String {
        switch placeholder {
        case .folder: folder
        case .stem: split.stem
        case .name: name
        case .suffix: split.suffix
        case .preset: preset
        case .year: Self.padded(date.year, 4)
        case .month: Self.padded(date.month, 2)
        case .day: Self.padded(date.day, 2)
        }
    }

    /// A name that begins with its only dot is all stem.
    private var split: (stem: String, suffix: String) {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return (name, "") }
        return (String(name[..<dot]), String(name[name.index(after: dot)...]))
    }

    private static func padded(_ number: Int?, _ digits: Int) -> String {
        let text = "\(number ?? 0)"
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

import Foundation
internal import TakeupFiles
import TakeupJobs

/// What a source is called without the folders that it is in.
public enum SourceName {
    /// Leaves room for a number and a suffix in the 255 bytes of a name.
    private static let mostBytes = 200

    /// The file's name; for an address a name that a file may have, made from the end of its path.
    public static func file(of source: String) -> String {
        guard SourceText.isAddress(source) else { return ListPath.name(of: source) }
        var place = SourceText.shown(source)
        if place.hasSuffix("?…") { place.removeLast(2) }
        let parts = Folder.names(of: place)
        let last = parts.count > 2 ? parts[parts.count - 1] : parts.last ?? "download"
        let name = safe(last.removingPercentEncoding ?? last)
        return name.isEmpty ? "download" : name
    }

    /// Without separators, control characters and what hides a file.
    private static func safe(_ text: String) -> String {
        var name = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isBad =
                "/\\:".unicodeScalars.contains(scalar)
                || [.control, .format, .lineSeparator, .paragraphSeparator].contains(
                    scalar.properties.generalCategory)
            name.append(isBad ? "_" : scalar)
        }
        var bytes = name.reduce(0) { $0 + UTF8.width($1) }
        // The end stays, for it says what is inside; nothing may be hidden by the cut.
        let kept = name.drop { scalar in
            guard bytes > mostBytes || [".", "-", " "].contains(scalar) else { return false }
            bytes -= UTF8.width(scalar)
            return true
        }
        return String(kept)
    }
}

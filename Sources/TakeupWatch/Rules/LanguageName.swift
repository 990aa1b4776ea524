internal import Foundation

/// A language as files and people write it: `de`, `deu`, `ger` and `de-AT`.
struct LanguageName: Sendable, Equatable {
    private let language: String
    /// Whatever stands behind the language, as a country.
    private let rest: String?

    init(_ text: String) {
        let text = text.lowercased()
        let parts = text.split(maxSplits: 1) { $0 == "-" || $0 == "_" }.map { String($0) }
        let name = parts.first ?? text
        language =
            Self.ofLibraries[name] ?? Locale.LanguageCode(name).identifier(.alpha3) ?? name
        rest = parts.count > 1 ? parts[1] : nil
    }

    /// Whether it is one of those that are asked for by this name: any country's, when none is named.
    func isMeant(by wanted: LanguageName) -> Bool {
        language == wanted.language && (wanted.rest == nil || rest == wanted.rest)
    }

    /// The names that differ from the others, and that Matroska prefers.
    ///
    /// - Note: Source: ISO 639-2, codes for bibliographic use (B) and for terminology (T).
    private static let ofLibraries: [String: String] = [
        "alb": "sqi", "arm": "hye", "baq": "eus", "bur": "mya", "chi": "zho", "cze": "ces",
        "dut": "nld", "fre": "fra", "geo": "kat", "ger": "deu", "gre": "ell", "ice": "isl",
        "mac": "mkd", "mao": "mri", "may": "msa", "per": "fas", "rum": "ron", "slo": "slk",
        "tib": "bod", "wel": "cym",
    ]
}

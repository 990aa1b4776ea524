import Foundation

/// The names of the files in a folder, so that names without endings can be found.
struct FolderNames {
    /// The most names that are looked at.
    static let most = 100_000

    let names: [String]

    /// Lists a folder; one that cannot be read has no names.
    init(_ folder: String) {
        let found = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        names = found.count > Self.most ? [] : found.sorted()
    }
}

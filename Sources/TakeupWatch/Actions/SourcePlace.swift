internal import TakeupFiles

/// Where a source goes: an open folder, and the name that is wanted there.
struct SourcePlace {
    static let mostNames = 9999

    let folder: OpenFolder
    let name: String

    /// The name, or the one with a number behind it.
    func name(_ number: Int) -> String {
        number == 0 ? name : PartialFile.numbered(name, number)
    }
}

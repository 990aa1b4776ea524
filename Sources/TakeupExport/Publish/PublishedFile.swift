/// A file that has its name.
struct PublishedFile: Equatable {
    var path: String
    /// Set when the disk may not have taken the name yet.
    var warning: ExportWarning?
}

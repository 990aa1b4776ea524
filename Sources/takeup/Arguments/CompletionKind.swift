/// What a shell offers while a value is being typed.
enum CompletionKind: Sendable, Equatable {
    case nothing, file, directory
    /// A shipped preset's name, or a file.
    case preset
}

import TakeupModel
import TakeupProcess

/// What becomes of a kernel that cannot seal a process.
enum SandboxDemand {
    /// The option that asks for it.
    static let option = "require-sandbox"

    /// Says what is not confined.
    ///
    /// - Parameters:
    ///   - sandbox: What this system can enforce.
    ///   - isRequired: Whether anything less than all of it is refused.
    /// - Returns: A sentence; nil where nothing is missing.
    /// - Throws: With 78 where it is required.
    static func warning(
        _ sandbox: Sandbox, isRequired: Bool
    ) throws(Failure) -> String? {
        guard !sandbox.isWhole else { return nil }
        let doings = sandbox.unconfined.joined(separator: ", and ")
        let words = "exports cannot be sealed here: a hostile source could \(doings)"
        guard isRequired else { return words }
        throw Failure(
            exitCode: .configuration, code: "sandboxMissing", stage: "request", message: words,
            hint: "use a kernel with Landlock and seccomp, or leave out --\(option)")
    }
}

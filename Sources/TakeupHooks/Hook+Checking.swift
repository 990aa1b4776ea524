package import TakeupWatch

extension Hook {
    /// Why nobody can be told by it as things are now; nil when they can.
    ///
    /// - Parameter environment: Of this process.
    /// - Returns: For people.
    package func fault(_ environment: [String: String]) -> String? {
        switch target {
        case .command(let words):
            return CommandHook(words, timeoutSeconds: timeoutSeconds, environment: environment)
                .fault
        case .web(_, let secretFile):
            guard let secretFile else { return nil }
            do throws(HookSecretError) {
                _ = try HookSecret(file: secretFile)
                return nil
            } catch {
                return error.reason
            }
        }
    }
}

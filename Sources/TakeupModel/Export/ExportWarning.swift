/// Something a user should know about an export that went on nevertheless.
public struct ExportWarning: Sendable, Hashable, Codable {
    /// Stable, for scripts: such as `trackSkipped`, `lossSalvaged`, `toneMapped`.
    public var code: String
    public var message: String

    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }
}

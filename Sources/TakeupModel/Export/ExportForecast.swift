/// What an export would do and where its file would stand, as far as that can be told before.
public struct ExportForecast: Sendable, Equatable, Codable {
    public var plan: ExportPlan
    /// The name that the file would get; another than was asked for with `.unique` only; nil when none was asked for.
    public var output: String?

    public init(plan: ExportPlan, output: String?) {
        (self.plan, self.output) = (plan, output)
    }
}

/// A configuration file or environment variable that cannot be used.
struct ConfigurationError: Error, Equatable, Sendable {
    let message: String
    let hint: String
}

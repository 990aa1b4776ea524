/// Why an event could not be signed.
struct HookSecretError: Error, Equatable {
    var reason: String
}

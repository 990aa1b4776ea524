/// Why an event could not be signed.
package struct HookSecretError: Error, Equatable {
    package var reason: String
}

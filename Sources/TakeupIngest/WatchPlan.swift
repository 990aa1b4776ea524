internal import TakeupHooks
package import TakeupModel
package import TakeupWatch

/// Every folder that a daemon watches, and the hooks that it tells.
package struct WatchPlan: Sendable {
    package let requests: [WatchRequest]
    /// The hooks that get the events about files.
    package let hooks: [Hook]

    package init(_ requests: [WatchRequest], _ hooks: [Hook]) {
        (self.requests, self.hooks) = (requests, hooks)
    }

    /// Refuses a hook that could not tell anybody.
    ///
    /// - Parameter environment: For programs of hooks.
    /// - Throws: With 78.
    package func checkHooks(_ environment: [String: String]) throws(Failure) {
        for hook in hooks {
            guard let reason = hook.fault(environment) else { continue }
            throw .watch(
                .configuration, "the hook \(hook.label) cannot be used: \(reason)",
                hint: "put it right in the configuration, or leave the hook out")
        }
    }
}

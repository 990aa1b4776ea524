/// What a command is made from: its arguments and every option, resolved.
struct CommandInput: Sendable {
    let path: [String]
    let arguments: [String]
    let settings: Settings
    /// The command line as it was read, for a command that resolves settings itself.
    let invocation: Invocation

    func value(_ option: String) -> String? { settings.value(option) }
    func values(_ option: String) -> [String] { settings.setting(option)?.values ?? [] }
    func isOn(_ option: String) -> Bool { settings.isOn(option) }
}

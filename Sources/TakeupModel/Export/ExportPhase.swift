/// What an export is busy with, in the order of the contract.
public enum ExportPhase: String, Sendable, Codable, CaseIterable {
    case fetch, analyse, encode, finish, verify
}

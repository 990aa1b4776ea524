/// Where in its way an export was.
public enum ExportStage: String, Sendable, Codable {
    case open, probe, plan, decode, filter, encode, mux, publish, verify
}

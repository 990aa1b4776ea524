/// The version of Takeup, which all its programs share.
public enum ProgramVersion {
    public static let current = "0.1.0"
}

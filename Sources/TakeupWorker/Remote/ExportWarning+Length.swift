public import TakeupModel

extension ExportWarning {
    /// Returns the warning about a source whose end only the close of a connection told.
    ///
    /// - Parameters:
    ///   - name: The address without its secrets.
    ///   - bytes: Number of bytes that came.
    /// - Returns: The code `lengthNotStated` and its message.
    public static func lengthNotStated(_ name: String, bytes: Int64) -> ExportWarning {
        ExportWarning(
            code: "lengthNotStated",
            message: "the server did not state the length of \(name), and closed the connection"
                + " after \(bytes) bytes; if the connection broke, the rest is missing")
    }
}

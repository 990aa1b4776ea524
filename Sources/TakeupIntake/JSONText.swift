/// A text that is meant to be one value of JSON.
public enum JSONText {
    /// What is wrong with its form first.
    ///
    /// - Parameter bytes: The text.
    /// - Returns: nil when nothing is.
    public static func fault(in bytes: [UInt8]) -> BatchFault? {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            return BatchFault(line: nil, reason: "it is not UTF-8", hint: "save it as UTF-8")
        }
        var cursor = JSONCursor(bytes)
        guard !cursor.isAtEnd() else { return BatchFault(line: nil, reason: "it is empty") }
        do throws(BatchFault) {
            _ = try cursor.job()
        } catch {
            return cursor.notes.first ?? error
        }
        if let note = cursor.notes.first { return note }
        return cursor.isAtEnd() ? nil : cursor.fault("nothing may follow the value")
    }
}

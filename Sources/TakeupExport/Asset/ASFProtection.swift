/// Looks for the objects and flags by which an ASF file (WMV, WMA, DVR-MS) says that it is encrypted.
///
/// - Note: Source: Advanced Systems Format 01.20.03 §3.3, §3.14 to §3.16 and §3.4.
enum ASFProtection {
    /// Why the file counts as protected; nil when nothing says so.
    static func reason(_ window: ByteWindow) -> String? {
        for object in ASFObjects(window)?.all ?? [] {
            if ASFObjects.encryptions.contains(object.identifier) {
                return "its content is encrypted (DRM)"
            }
            if object.identifier == ASFObjects.streamProperties, isEncrypted(window, object.place) {
                return "one of its streams is encrypted (DRM)"
            }
        }
        return nil
    }

    /// The flag of a stream: type and error correction, offset and two lengths stand before it.
    private static func isEncrypted(_ window: ByteWindow, _ place: Int64) -> Bool {
        window[place + 24 + 48 + 1].map { $0 & 0x80 != 0 } ?? false
    }
}

/// Finds the objects and flags by which an ASF file (WMV, WMA, DVR-MS) declares encryption.
///
/// - Note: Source: Advanced Systems Format 01.20.03 §3.3, §3.14 to §3.16 and §3.4.
enum ASFProtection {
    /// Returns why the file counts as protected; nil if it does not.
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

    /// Returns a stream's encryption flag, which follows the stream type, error correction type,
    /// time offset and two lengths.
    private static func isEncrypted(_ window: ByteWindow, _ place: Int64) -> Bool {
        window[place + 24 + 48 + 1].map { $0 & 0x80 != 0 } ?? false
    }
}

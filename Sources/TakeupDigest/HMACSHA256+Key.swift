internal import CTakeupOpenSSL

extension HMACSHA256 {
    /// A key that is prepared once for many codes; safe to use from any thread.
    public struct Key: Sendable {
        private let prepared: takeup_hmac

        /// - Parameter bytes: A key of any length.
        public init(_ bytes: [UInt8]) {
            var prepared = takeup_hmac()
            takeup_hmac_prepare(&prepared, bytes, bytes.count)
            self.prepared = prepared
        }

        /// Signs bytes that are completely in memory.
        ///
        /// - Returns: The code, `byteCount` bytes.
        public func code(of bytes: [UInt8]) -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: byteCount) { room, count in
                withUnsafePointer(to: prepared) { prepared in
                    takeup_hmac_code(prepared, bytes, bytes.count, room.baseAddress)
                }
                count = byteCount
            }
        }
    }
}

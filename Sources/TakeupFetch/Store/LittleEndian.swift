extension [UInt8] {
    mutating func append(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    func little<Number: FixedWidthInteger>(_ place: Int, as: Number.Type) -> Number {
        withUnsafeBytes {
            Number(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: Number.self))
        }
    }
}

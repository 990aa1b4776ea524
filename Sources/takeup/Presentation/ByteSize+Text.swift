public import TakeupIntake
import TakeupModel

extension ByteSize: CustomStringConvertible {
    /// Three digits or so: `532 bytes`, `1.24 MB`, `12.4 MB`, `124 MB`.
    public var description: String {
        var (value, index) = (Double(bytes), 0)
        let names = ["bytes", "kB", "MB", "GB", "TB", "PB"]
        while value >= 999.5, index < names.count - 1 { (value, index) = (value / 1000, index + 1) }
        guard index > 0 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        return "\(Decimals.text(value, digits: 3)) \(names[index])"
    }
}

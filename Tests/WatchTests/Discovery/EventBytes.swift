@testable import TakeupWatch

/// Events as the kernel writes them.
enum EventBytes {
    static func of(
        _ watch: Int32, _ kinds: InotifyEvent.Kinds, _ name: [UInt8] = [], padding: Int = 4
    ) -> [UInt8] {
        let length = name.isEmpty ? 0 : name.count + padding
        let head = [UInt32(bitPattern: watch), kinds.rawValue, 0, UInt32(length)]
        let bytes = head.flatMap { word in withUnsafeBytes(of: word) { Array($0) } } + name
        return bytes + [UInt8](repeating: 0, count: length - name.count)
    }
}

import Foundation

extension Clip {
    /// The bytes of an MP4 file whose index lies so many bytes of no use behind its pictures: nobody can begin without
    /// nearly all of it.
    ///
    /// - Throws: `ToolFailure` when it has no index of its own at the end.
    public func padded(by count: Int) throws -> [UInt8] {
        var bytes = [UInt8](try bytes())
        var place = 0
        while true {
            guard place + 8 <= bytes.count else { throw ToolFailure("\(path) has no index") }
            if bytes[place + 4..<place + 8].elementsEqual("moov".utf8) { break }
            let size = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            guard size >= 8 else { throw ToolFailure("\(path) has a box of \(size) bytes") }
            place += size
        }
        let head = withUnsafeBytes(of: UInt32(count + 8).bigEndian) { Array($0) }
        let padding = head + Array("free".utf8) + [UInt8](repeating: 0, count: count)
        bytes.insert(contentsOf: padding, at: place)
        return bytes
    }
}

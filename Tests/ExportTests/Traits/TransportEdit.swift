import Foundation
import TestSupport

/// Changes the numbers of a transport stream's streams from a packet on, in its programme map too.
struct TransportEdit {
    private static let packet = 188
    /// Where FFmpeg puts its first programme's map.
    private static let mapPID = 0x1000
    private static let nullPID = 0x1FFF
    private static let unusedPID = 0x1FFE

    private var bytes: [UInt8]

    /// Edits a clip around the first map in its second half.
    static func middle(
        of clip: Clip, as name: String, _ change: (inout TransportEdit, Int) -> Void
    ) throws(ToolFailure) -> Clip {
        let once = try clip.bytes()
        var edit = TransportEdit(bytes: Array(once))
        let middle = edit.places.first {
            $0 > once.count / 2 && edit.pid(at: $0) == mapPID
        }
        change(&edit, middle ?? 0)
        let edited = Data(edit.bytes)
        return try clip.edited(name, recipe: "other numbers") { $0 = edited }
    }

    /// Gives a stream another number behind a place.
    mutating func renumber(_ old: Int, to new: Int, behind place: Int) {
        for start in places where start >= place {
            if pid(at: start) == old { setPID(new, at: start + 1) }
            if pid(at: start) == Self.mapPID { renameInMap(old, new, at: start) }
        }
    }

    /// Takes a stream away before a place.
    mutating func hide(_ old: Int, before place: Int) {
        for start in places where start < place {
            if pid(at: start) == old { setPID(Self.nullPID, at: start + 1) }
            if pid(at: start) == Self.mapPID { renameInMap(old, Self.unusedPID, at: start) }
        }
    }

    private var places: StrideTo<Int> {
        stride(from: 0, to: bytes.count - Self.packet + 1, by: Self.packet)
    }

    private func pid(at start: Int) -> Int {
        Int(bytes[start + 1] & 0x1F) << 8 | Int(bytes[start + 2])
    }

    private mutating func setPID(_ pid: Int, at place: Int) {
        bytes[place] = bytes[place] & 0xE0 | UInt8(pid >> 8)
        bytes[place + 1] = UInt8(pid & 0xFF)
    }

    private mutating func renameInMap(_ old: Int, _ new: Int, at start: Int) {
        let section = start + 5
        let end = section + 3 + length(at: section + 1) - 4
        var place = section + 12 + length(at: section + 10)
        while place + 5 <= end {
            if pid(at: place) == old { setPID(new, at: place + 1) }
            place += 5 + length(at: place + 3)
        }
        let sum = bytes[section..<end].reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in
                sum >> 31 == 1 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1
            }
        }
        for index in 0..<4 { bytes[end + index] = UInt8(sum >> (24 - 8 * index) & 0xFF) }
    }

    private func length(at place: Int) -> Int {
        Int(bytes[place] & 0x0F) << 8 | Int(bytes[place + 1])
    }
}

import Foundation
import TakeupFiles
import TakeupLanes
import TestSupport

@testable import TakeupFetch

/// A store in a folder of its own, with a clock that stands still unless it is told to go.
struct StoreTrial: ~Copyable {
    let folder: TemporaryDirectory
    let store: SourceStore
    let now: Locked<Double>

    init() throws {
        let folder = try TemporaryDirectory()
        let now = Locked(1_000_000.0)
        store = try Self.store(folder.file("sources"), now)
        self.folder = folder
        self.now = now
    }

    static func store(_ path: String, _ now: Locked<Double>) throws -> SourceStore {
        try SourceStore(path: path) { now.withLock { $0 } }
    }

    /// The same folder as another process sees it.
    func another() throws -> SourceStore { try Self.store(store.path, now) }

    func pass(_ seconds: Double) { now.withLock { $0 += seconds } }

    func open(_ address: String = "https://a.example/clip.mp4") throws -> SourceFile {
        try store.open(SourceKey(address: address), address: address)
    }

    func path(of key: SourceKey) -> String { "\(store.path)/\(key.shard)/\(key)" }
    func path(of file: SourceFile, _ name: String) -> String { "\(path(of: file.key))/\(name)" }
    func dataPath(of file: SourceFile) -> String {
        path(of: file, SourceLayout.data(file.status.generation))
    }
}

/// Bytes that differ between places and between versions; ASCII, so that they are text too.
enum StoreBytes {
    static let block = BlockMap.blockBytes

    static func make(_ count: Int64, version: UInt64 = 1) -> [UInt8] {
        var random = SeededRandom(state: version &* 0x1234_5678_9ABC)
        // One page of chance, marked with its number each time: quick enough without an optimiser.
        let page = (0..<4096).map { _ in UInt8(random.next() & 0x7F) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(count) + page.count)
        while bytes.count < count {
            let number = bytes.count / page.count
            bytes += page
            for digit in 0..<3 {
                bytes[number * page.count + digit] = UInt8(number >> (7 * digit) & 0x7F)
            }
        }
        bytes.removeLast(bytes.count - Int(count))
        return bytes
    }

    /// Compares many bytes quickly without an optimiser too.
    static func areEqual(_ bytes: [UInt8], _ whole: [UInt8], at offset: Int64) -> Bool {
        guard Int(offset) + bytes.count <= whole.count else { return false }
        return bytes.withUnsafeBytes { bytes in
            whole.withUnsafeBytes { whole in
                guard let own = bytes.baseAddress, let other = whole.baseAddress else {
                    return true
                }
                return memcmp(own, other + Int(offset), bytes.count) == 0
            }
        }
    }
}

extension SourceFile {
    func write(_ whole: [UInt8], _ range: Range<Int64>) throws(FetchError) {
        let generation = status.generation
        var failure: FetchError?
        whole.withUnsafeBytes { bytes in
            let part = bytes[Int(range.lowerBound)..<Int(range.upperBound)]
            do throws(FetchError) {
                try write(
                    UnsafeRawBufferPointer(rebasing: part), at: range.lowerBound,
                    generation: generation)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// What one call reads.
    func bytes(_ range: Range<Int64>, generation: Int64? = nil) throws(FetchError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xEE, count: range.count)
        let generation = generation ?? status.generation
        var failure: FetchError?
        let count = bytes.withUnsafeMutableBytes { target in
            do throws(FetchError) {
                return try read(into: target, at: range.lowerBound, generation: generation)
            } catch {
                failure = error
                return 0
            }
        }
        if let failure { throw failure }
        return Array(bytes.prefix(count))
    }

    /// Whether every byte that counts as present can be read and is right; what is dropped meanwhile is absent.
    func isTrue(to whole: [UInt8]) throws(FetchError) -> Bool {
        for range in status.present.ranges {
            var place = range.lowerBound
            while place < range.upperBound {
                let bytes = try bytes(place..<range.upperBound)
                guard StoreBytes.areEqual(bytes, whole, at: place) else { return false }
                // Where a block was dropped, what comes after it is looked at all the same.
                let next = (place / BlockMap.blockBytes + 1) * BlockMap.blockBytes
                place = bytes.isEmpty ? next : place + Int64(bytes.count)
            }
        }
        return true
    }
}

extension StoreBytes {
    /// The SHA-256 of bytes that are text.
    static func hash(_ bytes: [UInt8]) throws -> String {
        SourceKey(address: String(decoding: bytes, as: UTF8.self)).description
    }
}

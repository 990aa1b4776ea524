import Foundation
import TakeupCurl
import TakeupLanes
import TestSupport

@testable import TakeupFetch

/// An origin, a store and a library over both, with limits that no test has to wait for.
struct LoaderTrial: ~Copyable {
    let folder: TemporaryDirectory
    let origin: TestOrigin
    let library: SourceLibrary
    let logs: Locked<[SessionLog]>

    init(_ change: (inout FetchSettings) -> Void = { _ in }) throws {
        let folder = try TemporaryDirectory()
        let origin = try TestOrigin()
        let logs = Locked<[SessionLog]>([])
        var settings = Self.settings()
        change(&settings)
        library = try Self.library(folder.file("sources"), settings, logs)
        self.folder = folder
        (self.origin, self.logs) = (origin, logs)
    }

    deinit { origin.stop() }

    /// Those of a test: loopback only, waits of milliseconds.
    static func settings() -> FetchSettings {
        let networks = ["127.0.0.0/8", "::1"].compactMap { NetworkPrefix($0) }
        var settings = FetchSettings(
            addressPolicy: AddressPolicy(permitted: networks, ports: nil, permitsPlainHTTP: true))
        settings.retry = OriginRetryPolicy(firstSeconds: 0.001, longestSeconds: 0.002)
        settings.judge.retryAfterCapSeconds = 0
        return settings
    }

    private static func library(
        _ path: String, _ settings: FetchSettings, _ logs: Locked<[SessionLog]>
    ) throws -> SourceLibrary {
        let store = try SourceStore(path: path) { Date().timeIntervalSince1970 }
        return SourceLibrary(store: store, settings: settings) { log in
            logs.withLock { $0.append(log) }
        }
    }

    /// The same folder as a later run, or another process, sees it.
    func another(_ change: (inout FetchSettings) -> Void = { _ in }) throws -> SourceLibrary {
        var settings = Self.settings()
        change(&settings)
        return try Self.library(folder.file("sources"), settings, logs)
    }

    func loader(_ path: String = "/a.mp4") throws -> ResourceLoader {
        try library.loader(for: origin.url(path))
    }

    /// Bytes that differ between places and between seeds, and are no text.
    static func content(_ length: Int64, seed: UInt64 = 1) -> OriginContent {
        .synthetic(length: length, seed: seed)
    }

    static func bytes(_ content: OriginContent) throws -> [UInt8] {
        try content.read(0..<content.length())
    }
}

extension [UInt8] {
    /// Quick without an optimiser.
    func isEqual(to other: [UInt8], at offset: Int) -> Bool {
        withUnsafeBytes { own in
            other.withUnsafeBytes { other in
                guard let left = own.baseAddress, let right = other.baseAddress else { return true }
                return memcmp(left, right + offset, own.count) == 0
            }
        }
    }
}

extension SourceReader {
    /// Some bytes from a place on, as few as one call gives.
    func some(_ count: Int, at offset: Int64) throws(FetchError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var result: Result<Int, FetchError> = .success(0)
        bytes.withUnsafeMutableBytes { room in
            result = Result { () throws(FetchError) in try read(into: room, at: offset) }
        }
        bytes.removeLast(count - (try result.get()))
        return bytes
    }

    /// All bytes of a range, or fewer at the end.
    func all(_ range: Range<Int64>, piece: Int = 64 << 10) throws(FetchError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        while bytes.count < range.count {
            let more = try some(
                min(piece, range.count - bytes.count), at: range.lowerBound + Int64(bytes.count))
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }

    /// Whether everything is these bytes; holds little of it at a time.
    func equals(_ bytes: [UInt8], piece: Int = 256 << 10) throws(FetchError) -> Bool {
        var place = 0
        while true {
            let more = try some(piece, at: Int64(place))
            if more.isEmpty { return place == bytes.count }
            guard place + more.count <= bytes.count,
                more.isEqual(to: bytes, at: place)
            else { return false }
            place += more.count
        }
    }

    /// Whether everything is this content; holds little of either at a time.
    func equals(_ content: OriginContent, piece: Int = 1 << 20) throws -> Bool {
        var place: Int64 = 0
        while true {
            let more = try some(piece, at: place)
            if more.isEmpty { return try place == content.length() }
            let expected = try content.read(place..<place + Int64(more.count))
            guard more.count == expected.count, more.isEqual(to: expected, at: 0) else {
                return false
            }
            place += Int64(more.count)
        }
    }

    /// Everything.
    func everything() throws(FetchError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let more = try some(256 << 10, at: Int64(bytes.count))
            if more.isEmpty { return bytes }
            bytes += more
        }
    }
}

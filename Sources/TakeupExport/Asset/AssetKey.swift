public import TakeupTimeline

/// A property of an asset that can be loaded by name, as in `asset.load(.duration)`.
public struct AssetKey<Value: Sendable>: Sendable {
    let read: @Sendable (AssetDescription) -> Value
}

extension AssetKey where Value == MediaTime {
    public static var duration: Self { Self { $0.duration } }
}

extension AssetKey where Value == [AssetTrack] {
    public static var tracks: Self { Self { $0.tracks } }
}

extension AssetKey where Value == [Chapter] {
    public static var chapters: Self { Self { $0.chapters } }
}

extension AssetKey where Value == [String: String] {
    public static var metadata: Self { Self { $0.metadata } }
}

extension AssetKey where Value == Bool {
    public static var isPlayable: Self { Self { $0.isPlayable } }
    public static var isExportable: Self { Self { $0.isExportable } }
    public static var hasProtectedContent: Self { Self { $0.hasProtectedContent } }
}

extension Asset {
    /// Loads one property; inspects the asset first if needed.
    public func load<Value>(_ key: AssetKey<Value>) async throws(ExportError) -> Value {
        key.read(try await inspect())
    }

    /// Loads several properties from one inspection.
    public func load<each Value>(
        _ keys: repeat AssetKey<each Value>
    ) async throws(ExportError) -> (repeat each Value) {
        let description = try await inspect()
        return (repeat (each keys).read(description))
    }
}

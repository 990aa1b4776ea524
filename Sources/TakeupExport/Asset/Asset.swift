/// A media source: a file now, anything that can be read by range later.
public final class Asset: Sendable {
    /// The path as it was given.
    public let name: String

    public init(path: String) {
        name = path
    }

    /// Opens and inspects the asset, once; later calls get the same answer.
    public func inspect() async throws(ExportError) -> AssetDescription {
        throw .inputMissing(name)
    }
}

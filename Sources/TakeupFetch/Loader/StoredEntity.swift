internal import Foundation

extension SourceVersion {
    /// Encodes an origin's version for the store.
    init(_ entity: EntityVersion) {
        var named = entity
        named.length = nil
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = (try? encoder.encode(named)).map { String(decoding: $0, as: UTF8.self) }
        self.init(validator: text ?? "", length: entity.length)
    }

    /// - Returns: nil if the store's validator is not an encoded origin version.
    var entity: EntityVersion? {
        guard var entity = try? JSONDecoder().decode(EntityVersion.self, from: Data(validator.utf8))
        else { return nil }
        entity.length = length
        return entity
    }
}

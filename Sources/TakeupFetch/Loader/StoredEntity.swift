internal import Foundation

extension SourceVersion {
    /// An origin's version as the store keeps it.
    init(_ entity: EntityVersion) {
        var named = entity
        named.length = nil
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = (try? encoder.encode(named)).map { String(decoding: $0, as: UTF8.self) }
        self.init(validator: text ?? "", length: entity.length)
    }

    /// - Returns: nil when the store keeps something else.
    var entity: EntityVersion? {
        guard var entity = try? JSONDecoder().decode(EntityVersion.self, from: Data(validator.utf8))
        else { return nil }
        entity.length = length
        return entity
    }
}

internal import Foundation
internal import TakeupFetch

extension ContentInformation {
    /// What the origin calls this version, if no other one has the same name; nil where only the bytes can tell.
    var strongVersion: String? {
        guard let end = version.utf8.lastIndex(of: UInt8(ascii: "/")),
            let entity = try? JSONDecoder().decode(
                EntityVersion.self, from: Data(version[..<end].utf8)),
            entity.ifRange(.strict) != nil
        else { return nil }
        return version
    }
}

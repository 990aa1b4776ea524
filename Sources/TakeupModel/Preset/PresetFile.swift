import Foundation

/// A preset file on disk, read without waiting on pipes or devices.
enum PresetFile {
    static func read(_ path: String) throws(PresetError) -> Data {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw .unreadable(path: path, reason: "it is no path")
        }
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else {
                throw PresetError.unreadable(path: path, reason: "it is not a regular file")
            }
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            let bytes = try handle.read(upToCount: ExportPreset.longestFile + 1) ?? Data()
            guard bytes.count <= ExportPreset.longestFile else {
                let reason = "it is longer than \(ExportPreset.longestFile) bytes"
                throw PresetError.unreadable(path: path, reason: reason)
            }
            return bytes
        } catch let error as PresetError {
            throw error
        } catch {
            if (error as? CocoaError)?.code == .fileReadNoPermission {
                throw .notPermitted(path: path)
            }
            throw .unreadable(path: path, reason: reason(for: error))
        }
    }

    private static func reason(for error: any Error) -> String {
        switch (error as? CocoaError)?.code {
        case .fileNoSuchFile, .fileReadNoSuchFile: "there is no such file"
        default: "the system refused (\((error as NSError).domain) \((error as NSError).code))"
        }
    }
}

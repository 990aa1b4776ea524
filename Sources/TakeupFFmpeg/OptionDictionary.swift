internal import CTakeupFFmpeg

/// Options for a library call; the call removes the options that it knows.
final class OptionDictionary {
    var raw: OpaquePointer?

    init(_ options: [String: String]) {
        for (key, value) in options.sorted(by: { $0.key < $1.key }) {
            av_dict_set(&raw, key, value, 0)
        }
    }

    deinit {
        av_dict_free(&raw)
    }

    /// The first option that the call did not accept.
    var leftOver: String? {
        Self.pairs(raw).keys.sorted().first
    }

    static func pairs(_ dictionary: OpaquePointer?) -> [String: String] {
        var pairs: [String: String] = [:]
        var entry: UnsafeMutablePointer<AVDictionaryEntry>?
        while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
            if let key = text(next.pointee.key), let value = text(next.pointee.value) {
                pairs[key] = value
            }
            entry = next
        }
        return pairs
    }
}

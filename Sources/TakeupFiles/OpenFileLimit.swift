internal import Foundation

/// How many files a process may have open.
public enum OpenFileLimit {
    /// The limit of this process now, in descriptors; `Int.max` where it cannot be told.
    public static var current: Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        return getrlimit(resource, &limit) == 0 ? Int(clamping: limit.rlim_cur) : .max
    }
}

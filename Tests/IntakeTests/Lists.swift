import TakeupJobs
import Testing

@testable import TakeupIntake

/// Reads lists as if they lay in `/lists`.
enum Lists {
    static func read(
        _ text: String, as format: ListFormat = .json, options: BatchOptions = BatchOptions()
    ) throws(BatchListError) -> [JobSpec] {
        try BatchList(
            parsing: Array(text.utf8), as: format, name: "/lists/list", options: options
        ).jobs
    }

    /// The faults of a list that must have some, as they are shown.
    static func faults(
        _ bytes: [UInt8], as format: ListFormat = .json, options: BatchOptions = BatchOptions()
    ) -> [String] {
        do throws(BatchListError) {
            _ = try BatchList(parsing: bytes, as: format, name: "/lists/list", options: options)
            return []
        } catch {
            guard case .invalid("/lists/list", let faults, _) = error else { return [] }
            return faults.map(\.description)
        }
    }

    static func faults(
        _ text: String, as format: ListFormat = .json, options: BatchOptions = BatchOptions()
    ) -> [String] {
        faults(Array(text.utf8), as: format, options: options)
    }
}

extension BatchList {
    /// One input, from the process's folder on.
    init(place: String, options: BatchOptions) throws(BatchListError) {
        try self.init([.place(place)], options: options, from: ListPath.current)
    }
}

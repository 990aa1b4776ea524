/// A pattern of paths, such as `/v1/jobs/{id}` or `/p/{rest...}`.
struct RoutePattern: Sendable, Equatable {
    enum Segment: Sendable, Equatable {
        case literal(String)
        case name(String)
        /// All that follows, at least one segment.
        case rest(String)
    }

    let segments: [Segment]

    init(_ text: String) {
        segments = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
            .map { part in
                guard part.hasPrefix("{"), part.hasSuffix("}") else {
                    return .literal(String(part))
                }
                let name = part.dropFirst().dropLast()
                return name.hasSuffix("...")
                    ? .rest(String(name.dropLast(3))) : .name(String(name))
            }
    }

    /// - Parameter path: Its segments, decoded.
    /// - Returns: The values of the names; nil if the path is another one.
    func match(_ path: [String]) -> [String: String]? {
        var values: [String: String] = [:]
        for (index, segment) in segments.enumerated() {
            guard index < path.count else { return nil }
            switch segment {
            case .literal(let text): guard path[index] == text else { return nil }
            case .name(let name):
                guard !path[index].isEmpty else { return nil }
                values[name] = path[index]
            case .rest(let name):
                values[name] = path[index...].joined(separator: "/")
                return values
            }
        }
        return path.count == segments.count ? values : nil
    }

    /// Sorts patterns so that the most exact one comes first.
    var rank: [Int] {
        segments.map { segment in
            switch segment {
            case .literal: 0
            case .name: 1
            case .rest: 2
            }
        }
    }
}

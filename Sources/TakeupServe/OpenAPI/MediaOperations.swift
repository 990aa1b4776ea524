internal import TakeupModel

/// The description of media and of the proxy.
enum MediaOperations {
    static let all: [APIOperation] = []

    static let schemas: [(String, JSONValue)] = []
}

/// Which jobs a worker takes.
public struct ClaimScope: Sendable, Equatable {
    /// The queue of a job that names none.
    public static let defaultQueue = "default"

    /// Names of queues; nil for every queue.
    public var queues: Set<String>?
    /// What the worker has, such as `gpu`; a job is done only where all that it asks for is there.
    public var tags: Set<String>
    /// The most jobs of one key that run at once, on all workers together; nil for any number.
    public var mostPerKey: Int?

    /// Jobs that the worker leaves to others for now.
    public var leftJobs: [JobID] = []

    public init(queues: Set<String>? = nil, tags: Set<String> = [], mostPerKey: Int? = nil) {
        (self.queues, self.tags, self.mostPerKey) = (queues, tags, mostPerKey)
    }

    /// Whether the worker does jobs of this queue that ask for these tags.
    package func admits(_ spec: JobSpec) -> Bool {
        queues?.contains(spec.queue ?? Self.defaultQueue) != false && tags.isSuperset(of: spec.tags)
    }
}

extension JobSpec {
    /// What the job asks of its worker, as the database compares it: `QUEUE:TAG,TAG`; empty for nothing.
    var need: String {
        let asked = Set(tags).sorted().joined(separator: ",")
        let named = queue == ClaimScope.defaultQueue ? nil : queue
        return named == nil && asked.isEmpty ? "" : "\(named ?? ""):\(asked)"
    }

    /// Whether a text may name a queue, a tag or a key: 1 to 64 letters, digits, `.`, `_` and `-` of ASCII.
    public static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                let scalar = Unicode.Scalar(byte)
                return scalar.properties.isAlphabetic && byte < 128 || (48...57).contains(byte)
                    || [45, 46, 95].contains(byte)
            }
    }
}

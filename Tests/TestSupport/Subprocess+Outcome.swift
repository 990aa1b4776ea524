public import Foundation

extension Subprocess {
    /// How a program ended and what it printed.
    public struct Outcome: Sendable {
        /// The program and its arguments, for messages.
        public let command: String
        /// Nil when a signal ended it.
        public let exitCode: Int32?
        /// The signal that ended it, nil when it exited.
        public let signal: Int32?
        /// Whether it was killed because its time was over.
        public let timedOut: Bool
        public let standardOutput: Data
        public let standardError: Data
        /// The most memory that it held at once; sampled every 10 ms where the caller held more.
        public let peakResidentBytes: Int
        /// User and system time, in seconds, of it and of the children it waited for.
        public let cpuSeconds: Double
        /// Wall time from its start, in seconds.
        public let seconds: Double

        /// Whether it exited with 0.
        public var succeeded: Bool { exitCode == 0 }
        /// Standard output as UTF-8, broken bytes replaced.
        public var outputText: String { String(decoding: standardOutput, as: UTF8.self) }
        /// Standard error as UTF-8, broken bytes replaced.
        public var errorText: String { String(decoding: standardError, as: UTF8.self) }

        /// Itself when the program exited with 0.
        ///
        /// - Throws: `ToolFailure` with the command and its last words.
        public func requireSuccess() throws(ToolFailure) -> Outcome {
            guard !succeeded else { return self }
            let ending =
                timedOut ? "timed out" : signal.map { "signal \($0)" } ?? "exit \(exitCode ?? -1)"
            throw ToolFailure("\(command): \(ending)\n\(errorText.suffix(2000))")
        }
    }
}

/// What goes between a sealed helper that reads a remote source and the process that fetches it: places, and bytes
/// only where no file keeps them.
package enum FeedMessage {
    /// Asks for a byte.
    package struct Question: Equatable {
        package static let byteCount = 16

        /// Says which answer belongs to it.
        package var number: UInt64
        /// Which byte has to be there.
        package var offset: Int64

        package var bytes: [UInt8] { FeedMessage.bytes([number, UInt64(bitPattern: offset)]) }

        /// - Returns: nil for anything else, and for a place before the first byte.
        package init?(_ bytes: [UInt8]) {
            guard let words = FeedMessage.words(bytes, count: 2), words[1] <= Int64.max else {
                return nil
            }
            (number, offset) = (words[0], Int64(words[1]))
        }

        package init(number: UInt64, offset: Int64) {
            (self.number, self.offset) = (number, offset)
        }
    }

    package struct Answer: Equatable {
        /// Without the bytes that are passed.
        package static let byteCount = 32
        /// Bytes that one answer passes at most.
        package static let mostPassedBytes = 128 * 1024

        package enum Outcome: Equatable {
            /// These bytes are in the file now and stay as they are.
            case present(Range<Int64>)
            /// These bytes come from a place on; no file keeps them.
            case passed([UInt8])
            /// It cannot be had; why is known to the one who answers.
            case failed
        }

        package var number: UInt64
        package var outcome: Outcome

        package var bytes: [UInt8] {
            switch outcome {
            case .present(let range):
                FeedMessage.bytes([
                    number, 1, UInt64(range.lowerBound), UInt64(range.upperBound),
                ])
            case .passed(let bytes):
                FeedMessage.bytes([number, 2, 0, UInt64(bytes.count)]) + bytes
            case .failed: FeedMessage.bytes([number, 0, 0, 0])
            }
        }

        /// - Returns: nil for anything else.
        package init?(_ bytes: [UInt8]) {
            let passed = bytes.dropFirst(Self.byteCount)
            guard let words = FeedMessage.words(Array(bytes.prefix(Self.byteCount)), count: 4),
                words[2] <= words[3], words[3] <= Int64.max, words[1] <= 2,
                words[1] == 2 ? words[3] == passed.count : passed.isEmpty
            else { return nil }
            number = words[0]
            outcome =
                switch words[1] {
                case 0: .failed
                case 1: .present(Int64(words[2])..<Int64(words[3]))
                default: .passed(Array(passed))
                }
        }

        package init(number: UInt64, _ outcome: Outcome) {
            (self.number, self.outcome) = (number, outcome)
        }
    }

    /// Little-endian, eight bytes each.
    private static func bytes(_ words: [UInt64]) -> [UInt8] {
        words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }

    private static func words(_ bytes: [UInt8], count: Int) -> [UInt64]? {
        guard bytes.count == count * 8 else { return nil }
        return (0..<count).map { place in
            (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[place * 8 + $1]) << ($1 * 8) }
        }
    }
}

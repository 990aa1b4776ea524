/// What goes between a sealed helper that reads a remote source and the process that fetches it: places, never bytes.
enum FeedMessage {
    /// Asks for a byte.
    struct Question: Equatable {
        static let byteCount = 16

        /// Says which answer belongs to it.
        var number: UInt64
        /// Which byte has to be there.
        var offset: Int64

        var bytes: [UInt8] { FeedMessage.bytes([number, UInt64(bitPattern: offset)]) }

        /// - Returns: nil for anything else, and for a place before the first byte.
        init?(_ bytes: [UInt8]) {
            guard let words = FeedMessage.words(bytes, count: 2), words[1] <= Int64.max else {
                return nil
            }
            (number, offset) = (words[0], Int64(words[1]))
        }

        init(number: UInt64, offset: Int64) {
            (self.number, self.offset) = (number, offset)
        }
    }

    struct Answer: Equatable {
        static let byteCount = 32

        enum Outcome: Equatable {
            /// These bytes are in the file now and stay as they are.
            case present(Range<Int64>)
            /// It cannot be had; why is known to the one who answers.
            case failed
        }

        var number: UInt64
        var outcome: Outcome

        var bytes: [UInt8] {
            switch outcome {
            case .present(let range):
                FeedMessage.bytes([
                    number, 1, UInt64(range.lowerBound), UInt64(range.upperBound),
                ])
            case .failed: FeedMessage.bytes([number, 0, 0, 0])
            }
        }

        /// - Returns: nil for anything else.
        init?(_ bytes: [UInt8]) {
            guard let words = FeedMessage.words(bytes, count: 4), words[2] <= words[3],
                words[3] <= Int64.max, words[1] <= 1
            else { return nil }
            number = words[0]
            outcome = words[1] == 0 ? .failed : .present(Int64(words[2])..<Int64(words[3]))
        }

        init(number: UInt64, _ outcome: Outcome) {
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

/// One question about a file and its answer.
package struct ExplanationPoint: Sendable, Equatable {
    package let question: String
    package let answer: String
    /// Whether it keeps the file from being taken.
    package var isObstacle = false
}

internal import TakeupModel
package import TakeupWatch

/// What a file waits for that is not known yet, as far as one look tells.
package struct FileWait: Sendable, Equatable {
    /// Sound or subtitles in a file of their own, which a film waits for.
    package struct SideCar: Sendable, Equatable {
        /// In the film's folder.
        let name: String
        let ageSeconds: Double
    }

    /// From the watched folder on.
    package let path: String
    /// How long nothing of it may change.
    package let stableSeconds: Double
    /// Seconds since the file's last change.
    package let ageSeconds: Double
    package var marker = ReadyMarker.none
    package var isMarkerThere = false
    package var sideCars: [SideCar] = []

    /// In the order in which the daemon asks.
    package var points: [ExplanationPoint] {
        [standstill] + sideCars.compactMap(point) + [markerPoint].compactMap(\.self)
    }

    private var standstill: ExplanationPoint {
        guard let rest = rest(ageSeconds) else {
            return ExplanationPoint(
                question: "stands still",
                answer: "for the \(Self.words(stableSeconds)) that it has to at least")
        }
        return ExplanationPoint(
            question: "stands still", answer: "not for \(rest) more at least", isObstacle: true)
    }

    private func point(_ other: SideCar) -> ExplanationPoint? {
        rest(other.ageSeconds).map { rest in
            ExplanationPoint(
                question: "waits for",
                answer: "\(other.name), which does not stand still for \(rest) more at least",
                isObstacle: true)
        }
    }

    private var markerPoint: ExplanationPoint? {
        guard case .beside(let suffix) = marker else { return nil }
        if path.hasSuffix(suffix) {
            return ExplanationPoint(
                question: "marker", answer: "it is one itself", isObstacle: true)
        }
        return ExplanationPoint(
            question: "marker",
            answer: "\(path)\(suffix) is \(isMarkerThere ? "there" : "missing")",
            isObstacle: !isMarkerThere)
    }

    /// What is left of the time to stand still; nil when it is over.
    private func rest(_ ageSeconds: Double) -> String? {
        let seconds = stableSeconds - ageSeconds
        return seconds > 0 ? Self.words(min(stableSeconds, seconds.rounded(.up))) : nil
    }

    private static func words(_ seconds: Double) -> String {
        let number = Decimals.fixed(seconds, places: seconds == seconds.rounded() ? 0 : 1)
        return number == "1" ? "1 second" : "\(number) seconds"
    }
}

/// What the plans of picture and sound tracks have in common.
protocol MediaTrackPlan {
    associatedtype Encoding: Sendable, Equatable, Codable

    var segments: [TrackSegment] { get }
    var mode: TrackMode<Encoding> { get }
    var reason: PlanReason { get }
    var language: String? { get }
    var title: String? { get }
}

extension VideoTrackPlan: MediaTrackPlan {}
extension AudioTrackPlan: MediaTrackPlan {}

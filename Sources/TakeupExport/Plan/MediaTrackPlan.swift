/// The common properties of video and audio track plans.
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

internal import TakeupModel
internal import TakeupTimeline

/// A layout as the API tells of it.
struct LayoutDocument: Decodable {
    struct Ramp<Value: Decodable>: Decodable {
        var start: String
        var duration: String
        var from: Value
        var to: Value
    }

    struct Place: Decodable {
        var x: Double
        var y: Double
        var width: Double
        var height: Double

        var area: Area { Area(x: x, y: y, width: width, height: height) }
    }

    var fit: String?
    var opacity: Double?
    var opacityRamps: [Ramp<Double>]?
    var area: Place?
    var areaRamps: [Ramp<Place>]?
    var rotation: Double?
    var rotationRamps: [Ramp<Double>]?
    var crop: Place?
    var cropRamps: [Ramp<Place>]?

    var layout: Layout {
        Layout(
            fit: fit.flatMap(Layout.Fit.init), opacity: Self.ramped(opacity, opacityRamps) { $0 },
            area: Self.ramped(area, areaRamps, \.area),
            rotation: Self.ramped(rotation, rotationRamps) { $0 },
            crop: Self.ramped(crop, cropRamps, \.area))
    }

    private static func ramped<Told, Value>(
        _ told: Told?, _ ramps: [Ramp<Told>]?, _ value: (Told) -> Value
    ) -> Ramped<Value>? {
        guard let told else { return nil }
        func time(_ text: String) -> MediaTime { MediaTime(parsing: text) ?? .zero }
        return Ramped(
            value(told),
            ramps: (ramps ?? []).map {
                Ramped.Ramp(
                    start: time($0.start), duration: time($0.duration), from: value($0.from),
                    to: value($0.to))
            })
    }
}

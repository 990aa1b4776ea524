internal import TakeupHTTP
internal import TakeupModel

/// The presets that a job may name.
package struct PresetRoutes {
    private let folder: PresetFolder?

    package init(_ tools: ServeTools) { folder = tools.presetFolder }

    package var routes: [Route] {
        [
            Route("GET", "/v1/presets", .read) { [folder] request in
                request.answer { () throws(Refusal) in
                    _ = try QueryReader(request, known: [])
                    return try Self.answer(KnownPreset.all(in: folder), request)
                }
            },
            Route("GET", "/v1/presets/{name}", .read) { [folder] request in
                request.answer { () throws(Refusal) in
                    _ = try QueryReader(request, known: [])
                    return try Self.answer(
                        try Self.preset(request.parameter("name"), in: folder), request)
                }
            },
        ]
    }

    private static func preset(
        _ name: String, in folder: PresetFolder?
    ) throws(Refusal) -> ExportPreset {
        // A path would name any file.
        guard !ExportPreset.isPath(name) else {
            throw .notFound("preset '\(name.prefix(100))'")
        }
        do throws(PresetError) {
            return try ExportPreset.resolve(name, in: folder)
        } catch {
            throw Refusal(404, Failure(error))
        }
    }

    private static func answer(
        _ value: some Encodable, _ request: RoutedRequest
    ) throws(Refusal) -> HTTPResponse {
        let text = try Refusal.attempt { () throws(Failure) in
            try PresetText.json(value, isPretty: false) + "\n"
        }
        return ContentTag.response(text, to: request.http)
    }
}

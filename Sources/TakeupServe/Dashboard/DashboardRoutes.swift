internal import TakeupDigest
internal import TakeupHTTP

/// The dashboard: one page and what it loads, all of it in the program itself.
///
/// Everybody may load the page; what it shows comes from routes that ask for a token.
package struct DashboardRoutes: Sendable {
    /// A file of the page.
    private struct Asset {
        let path: String
        let type: String
        let bytes: [UInt8]
    }

    private static let script = "text/javascript; charset=utf-8"

    private static let assets = [
        Asset(path: "/", type: "text/html; charset=utf-8", bytes: PackageResources.index_html),
        Asset(
            path: "/dashboard/style.css", type: "text/css; charset=utf-8",
            bytes: PackageResources.style_css),
        Asset(
            path: "/dashboard/icon.svg", type: "image/svg+xml", bytes: PackageResources.icon_svg),
        Asset(path: "/dashboard/api.js", type: script, bytes: PackageResources.api_js),
        Asset(path: "/dashboard/app.js", type: script, bytes: PackageResources.app_js),
        Asset(path: "/dashboard/detail.js", type: script, bytes: PackageResources.detail_js),
        Asset(path: "/dashboard/dom.js", type: script, bytes: PackageResources.dom_js),
        Asset(path: "/dashboard/jobs.js", type: script, bytes: PackageResources.jobs_js),
        Asset(path: "/dashboard/player.js", type: script, bytes: PackageResources.player_js),
        Asset(path: "/dashboard/plot.js", type: script, bytes: PackageResources.plot_js),
        Asset(path: "/dashboard/results.js", type: script, bytes: PackageResources.results_js),
        Asset(path: "/dashboard/submit.js", type: script, bytes: PackageResources.submit_js),
        Asset(path: "/dashboard/system.js", type: script, bytes: PackageResources.system_js),
        Asset(path: "/dashboard/theme.js", type: script, bytes: PackageResources.theme_js),
        Asset(path: "/dashboard/upload.js", type: script, bytes: PackageResources.upload_js),
    ]

    /// The page runs its own scripts only, talks to its own server only, and is in no frame.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
        + "media-src 'self' blob:; connect-src 'self'; form-action 'self'; "
        + "frame-ancestors 'none'; base-uri 'none'"

    /// Needs nothing of the server's tools.
    package static let all = assets.map { asset in
        let text = String(decoding: asset.bytes, as: UTF8.self)
        let tag = "\"\(SHA256Digest.of(text).prefix(16))\""
        return Route("GET", asset.path, .anyone) { request in
            .answer(response(asset, tag: tag, to: request.http))
        }
    }

    package var routes: [Route] { Self.all }

    package init(_ tools: ServeTools) {}

    private static func response(
        _ asset: Asset, tag: String, to request: HTTPRequest
    ) -> HTTPResponse {
        var fields = [
            // A browser asks each time: the page and its scripts are of one version.
            ("Cache-Control", "no-cache"), ("ETag", tag), ("Content-Security-Policy", policy),
            ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ]
        let known = request.fields.values("If-None-Match").joined(separator: ",")
        if known == "*" || known.contains(tag) {
            return HTTPResponse(304, fields, body: .bytes(asset.bytes))
        }
        fields.append(("Content-Type", asset.type))
        return HTTPResponse(200, fields, body: .bytes(asset.bytes))
    }
}

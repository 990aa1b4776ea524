package import TakeupModel
internal import TakeupService

/// Media over HTTP: sources through the range cache, and results by their ids.
package struct MediaRoutes {
    package let figures: MediaFigures
    private let proxy: ProxyRoute
    private let results: ResultRoute

    /// - Parameter tools: What the routes work with.
    /// - Throws: With 78 if the key of proxy addresses cannot be used.
    package init(_ tools: ServeTools) throws(Failure) {
        let key = try ProxyKey.open(home: tools.places.home)
        figures = MediaFigures(tools.sources)
        proxy = ProxyRoute(tools, key: key, figures: figures)
        results = ResultRoute(tools, figures: figures)
    }

    package var routes: [Route] {
        [
            Route("POST", "/v1/proxy", .submit) { [proxy] in proxy.sign($0) },
            // The signature is the right. All that is signed is in the rest, which no log shows.
            Route("GET", "/p/{address...}", .anyone) { [proxy] in proxy.fetch($0) },
            Route("OPTIONS", "/p/{address...}", .anyone) { [proxy] in proxy.preflight($0) },
            Route("GET", "/media/{name}", .read) { [results] in results.answer($0) },
        ]
    }
}

import Foundation
import TestSupport
import Testing

/// What a session may see and do, in the dashboard and beside it.
@Suite(
    "Dashboard's sessions", .serialized,
    .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.needs)))
struct DashboardAccessTests {
    private static let admin = "admin-admin-admin-admin"
    private static let reader = "reader-reader-reader-reader"
    private static let tokens = "admin \(admin) boss\nread \(reader) guest\n"

    /// Makes the result `film`, signs in, and signs an address of its source.
    private func film(_ bench: DashboardBench) throws -> [String: String] {
        let source = try bench.source("/clip.mp4")
        try bench.post(
            "/v1/jobs", ["source": source, "id": "film", "preset": "low"], token: Self.admin)
        try bench.signIn(Self.admin)
        try bench.browser.wait(for: "document.querySelector('.job[data-state=succeeded]')")
        return try #require(
            try bench.post("/v1/proxy", ["url": source], token: Self.admin) as? [String: String])
    }

    @Test("a result and a proxy address play when they are opened as pages")
    func opensMedia() throws {
        let bench = try DashboardBench(tokens: Self.tokens)
        let browser = bench.browser
        let proxied = try film(bench)
        for address in ["\(bench.url)/media/film.mp4", try #require(proxied["url"])] {
            try browser.open(address)
            try browser.wait(for: "document.querySelector('video').readyState >= 3")
            #expect(
                try browser.run("return document.querySelector('video').videoWidth") as? Int ?? 0
                    > 0)
        }
        #expect(try browser.consoleErrors().allSatisfy { $0.contains("401") })
    }

    @Test("a page of another site reads proxy addresses, and nothing that a session opens")
    func otherSite() throws {
        let bench = try DashboardBench(tokens: Self.tokens)
        let browser = bench.browser
        let proxied = try film(bench)
        let page = OriginContent.bytes(Array("<!doctype html><title>site</title><body>".utf8))
        bench.origin.serve("/page", OriginObject(page, type: "text/html"))
        try browser.open(bench.origin.url("/page"))
        try browser.run(
            """
            window.found = {};
            const [proxied, own] = ["\(try #require(proxied["url"]))", "\(bench.url)"];
            const note = (name, work) => work.then((value) => found[name] = value, () => found[name] = "refused");
            // The field makes a browser ask first.
            note("range", fetch(proxied, { headers: { Range: "bytes=0-9", "If-Match": "*" } }).then((answer) =>
                `${answer.status} ${answer.headers.get("Content-Range")}`));
            note("media", fetch(`${own}/media/film.mp4`, { credentials: "include" }));
            note("jobs", fetch(`${own}/v1/jobs`, { credentials: "include" }));
            note("cancel", fetch(`${own}/v1/jobs/film`, { method: "DELETE", credentials: "include" }));
            const video = document.createElement("video");
            Object.assign(video, { crossOrigin: "anonymous", muted: true, src: proxied });
            video.oncanplay = () => found.video = video.videoWidth;
            video.onerror = () => found.video = "refused";
            document.body.append(video);
            """)
        try browser.wait(for: "Object.keys(found).length === 5")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: Clip.base(seconds: 2).path)).count
        let found = try browser.run("return found") as? [String: Any]
        #expect(found?["range"] as? String == "206 bytes 0-9/\(bytes)")
        for name in ["media", "jobs", "cancel"] {
            #expect(found?[name] as? String == "refused", "\(name)")
        }
        #expect(found?["video"] as? Int ?? 0 > 0)
    }

    @Test("who is not signed in is told so, and nothing is said to be broken")
    func signedOut() throws {
        let bench = try DashboardBench(["--no-workers"], tokens: Self.tokens)
        let browser = bench.browser
        try browser.open("\(bench.url)/")
        try browser.wait(for: "document.querySelector('#session').open")
        // The stream of events was refused, too. A page that tried again would do so within two seconds.
        try browser.wait(
            for: """
                performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/v1/events"))
                """)
        try browser.run("window.end = performance.now() + 2500")
        try browser.wait(for: "performance.now() > end")
        #expect(
            try browser.run("return document.querySelector('#link').innerText") as? String
                == "Signed out")
        let colour = try browser.run(
            """
            const style = (state) => (document.querySelector("#link").dataset.state = state,
                getComputedStyle(document.querySelector("#link"), "::before").backgroundColor);
            const now = style(document.querySelector("#link").dataset.state);
            return now !== style("broken") && document.querySelector("#offline").hidden;
            """)
        #expect(colour as? Bool == true)
    }

    @Test("who may only look finds all that acts disabled, with the reason")
    func readsOnly() throws {
        let bench = try DashboardBench(["--no-workers"], tokens: Self.tokens)
        let browser = bench.browser
        try bench.post(
            "/v1/jobs",
            [
                ["source": "https://example.com/a.mp4", "id": "waits"],
                ["source": "https://example.com/b.mp4", "id": "gone"],
            ], token: Self.admin)
        _ = try Subprocess.run(
            "curl",
            [
                "-sS", "-X", "DELETE", "-H", "Authorization: Bearer \(Self.admin)",
                "\(bench.url)/v1/jobs/gone",
            ]
        ).requireSuccess()
        try bench.signIn(Self.reader)
        try browser.wait(for: "document.querySelector('#new-export').disabled")
        try browser.wait(for: "document.querySelectorAll('.job').length === 2")
        let open = """
            return [...document.querySelectorAll("[aria-label^=Cancel], [aria-label^=Try], [data-act]")]
                .map((each) => `${each.disabled} ${each.title}`);
            """
        let locked = "true The token of this session may only look"
        #expect(try browser.run(open) as? [String] == [locked, locked])
        for id in ["waits", "gone"] {
            try browser.run("location.hash = '#jobs/\(id)'")
            try browser.wait(for: "document.querySelector('#detail [data-act]')")
            #expect(try browser.run(open) as? [String] == [locked, locked, locked])
            try browser.press("\u{E00C}")
            try browser.wait(for: "!document.querySelector('#detail').open")
        }
        try browser.press("n")
        #expect(try browser.run("return document.querySelector('#submit').open") as? Bool == false)
    }
}

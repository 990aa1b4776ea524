import Foundation
import TestSupport
import Testing

@Suite(
    "Dashboard", .serialized, .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.needs)))
struct DashboardTests {
    @Test("submits an address, shows its plan first, and its progress moves until it is done")
    func submits() throws {
        let bench = try DashboardBench()
        let browser = bench.browser
        let address = try bench.source("/clip.mp4", seconds: 6)
        try bench.openPage()
        try browser.run(
            """
            window.seen = [];
            new MutationObserver((changes) => changes.forEach(({ target }) =>
                window.seen.push(Number(target.getAttribute("aria-valuenow")))))
                .observe(document.body, { subtree: true, attributeFilter: ["aria-valuenow"] });
            """)
        try browser.click("#new-export")
        try browser.wait(for: "document.querySelector('[name=preset]:checked')?.value === 'medium'")
        try browser.click("[name=preset][value=stories]")
        try browser.type(address, into: "#address")
        try browser.press("\u{E007}")
        let plan = try browser.wait(for: "document.querySelector('.plan')?.innerText") as? String
        #expect(plan?.contains("Encodes video: H.264, ") == true)
        try browser.click("#submit button[type=submit]")
        try browser.wait(for: "!document.querySelector('#submit').open")
        try browser.wait(for: "document.querySelector('.job[data-state=succeeded]')")
        let seen = try browser.run("return window.seen") as? [Int] ?? []
        #expect(Set(seen).count > 2, "progress: \(seen)")
        #expect(try browser.consoleErrors() == [])
    }

    @Test("plays an output in step with its source")
    func plays() throws {
        let bench = try DashboardBench()
        let browser = bench.browser
        try bench.post(
            "/v1/jobs",
            [
                "source": try bench.source("/clip.mp4", seconds: 8), "preset": "low", "start": "2",
                "duration": "5",
            ])
        try bench.openPage()
        try browser.wait(for: "document.querySelector('.job[data-state=succeeded]')")
        try browser.click("[aria-label^='Play ']")
        try browser.wait(
            for: """
                [...document.querySelectorAll('#player video')].every((v) => v.readyState === 4)
                """)
        try browser.click("#player .play")
        try browser.wait(
            for: "document.querySelector('#player [aria-label=Output]').currentTime > 1.5")
        let drift =
            try browser.run(
                """
                const at = (name) => document.querySelector(`#player [aria-label=${name}]`).currentTime;
                return at("Source") - at("Output") - 2;
                """) as? Double ?? .infinity
        #expect(abs(drift) < 0.3)
        try browser.press("\u{E00C}")
        try browser.wait(for: "!document.querySelector('#player').open")
        #expect(try browser.consoleErrors() == [])
    }

    @Test("cancels a running job after asking, and tries it again")
    func cancels() throws {
        let bench = try DashboardBench()
        let browser = bench.browser
        var faults = OriginFaults()
        faults.stalls = [OriginStall(at: 4096, times: nil)]
        try bench.post("/v1/jobs", ["source": try bench.source("/slow.mp4", faults)])
        try bench.openPage()
        try browser.wait(for: "document.querySelector('.job[data-state=running]')")
        try browser.click("[aria-label^='Cancel ']")
        try browser.wait(for: "document.querySelector('#ask').open")
        try browser.click("#ask .danger")
        try browser.wait(for: "document.querySelector('#jobs .job[data-state=cancelled]')")
        bench.origin.change("/slow.mp4") { $0.faults = OriginFaults() }
        bench.origin.release("/slow.mp4")
        try browser.click("[aria-label^='Try '][aria-label$=' again']")
        try browser.wait(for: "document.querySelector('.job[data-state=succeeded]')")
        #expect(try browser.consoleErrors() == [])
    }

    @Test("tells why a job failed, what helps, and its log, by keyboard alone")
    func tellsFailure() throws {
        let bench = try DashboardBench()
        let browser = bench.browser
        let whole = try Data(contentsOf: URL(fileURLWithPath: Clip.base().path))
        let cut = "\(bench.media)/cut.mp4"
        try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: cut))
        try bench.post("/v1/jobs", ["source": cut])
        try bench.openPage()
        try browser.wait(for: "document.querySelector('.job[data-state=failed]')")
        try browser.press("j")
        try browser.press("\u{E007}")
        let failure = try browser.wait(
            for: "document.querySelector('#detail .failure')?.innerText")
        #expect((failure as? String)?.contains("notMedia") == true)
        try browser.wait(for: "document.querySelector('#detail .failure .hint')?.innerText")
        try browser.wait(
            for:
                "document.querySelector('#detail pre.log').innerText.includes('moov atom not found')"
        )
        try browser.press("\u{E00C}")
        try browser.wait(for: "document.activeElement.matches('.job-title')")
        #expect(try browser.consoleErrors() == [])
    }

    @Test("uploads a file and exports it")
    func uploads() throws {
        let bench = try DashboardBench()
        let browser = bench.browser
        try bench.openPage()
        try browser.press("n")
        try browser.wait(for: "document.querySelector('#submit').open")
        try browser.type(Clip.base().path, into: "#files")
        try browser.wait(for: "document.querySelector('.plan')")
        try browser.click("#submit button[type=submit]")
        try browser.wait(for: "document.querySelector('.job[data-state=succeeded]')")
        #expect(try browser.consoleErrors() == [])
    }

    @Test("asks for a token, says that a wrong one is wrong, and goes on with a good one")
    func asksForToken() throws {
        let bench = try DashboardBench(tokens: "admin letmein-letmein-letmein tests\n")
        let browser = bench.browser
        try browser.open("\(bench.url)/")
        try browser.wait(for: "document.querySelector('#session').open")
        try browser.type("wrong", into: "#token")
        try browser.press("\u{E007}")
        try browser.wait(for: "document.querySelector('#token-error').innerText")
        try browser.run("document.querySelector('#token').value = ''")
        try browser.type("letmein-letmein-letmein", into: "#token")
        try browser.press("\u{E007}")
        try browser.wait(for: "document.querySelector('#jobs-state').innerText.includes('No jobs')")
        try browser.wait(for: "document.querySelector('#link').innerText === 'Live'")
        // Chromium itself notes the answers of status 401.
        #expect(try browser.consoleErrors().allSatisfy { $0.contains("401") })
    }

    @Test("shows control characters of names and runs no markup in them")
    func showsHostileNames() throws {
        let bench = try DashboardBench(["--no-workers"])
        let browser = bench.browser
        let name = "a\u{202E}4pm.<img src=x onerror=document.title=1>\u{7}.mp4"
        try bench.post(
            "/v1/jobs",
            ["source": bench.origin.url("/film.mp4"), "id": "one", "metadata": ["title": name]])
        try bench.openPage()
        try browser.run("location.hash = '#jobs/' + encodeURIComponent('<img src=x>\u{202E}')")
        try browser.wait(
            for: "document.querySelector('#detail-title').innerText.includes('U+202E')")
        #expect(try browser.run("return document.querySelectorAll('img').length") as? Int == 0)
    }

    @Test("finds jobs by the beginning of an id, an address, a path or a file's name")
    func finds() throws {
        let bench = try DashboardBench(["--no-workers"])
        let browser = bench.browser
        let names = ["clip.mov", "Clip 2.mov", "film.mov"]
        for name in names { try Data("x".utf8).write(to: URL(filePath: "\(bench.media)/\(name)")) }
        try bench.post(
            "/v1/jobs",
            names.map { ["source": "\(bench.media)/\($0)"] } + [
                ["source": "http://127.0.0.1:9/clip.mov", "id": "mine"],
                ["source": "http://127.0.0.1:9/other.mov"],
            ])
        try bench.openPage()
        for (text, count) in [
            ("http://127", 2), (String(bench.media.dropLast(2)), 3), (bench.media, 3), ("clip", 3),
            ("clip.mov", 2), ("mi", 1), ("nothing", 0),
        ] {
            try browser.run("document.querySelector('#find').value = ''")
            try browser.type(text, into: "#find")
            try browser.wait(
                for: """
                    document.querySelector('#jobs').getAttribute('aria-busy') === 'false'
                        && document.querySelectorAll('#jobs .job').length === \(count)
                        && (\(count) > 0 || document.querySelector('#jobs-state').innerText.includes('beginnings'))
                    """)
        }
    }

    @Test("an upload that fails is named as its sender knows it, a server's path has no globe")
    func namesSources() throws {
        let bench = try DashboardBench()
        let browser = bench.browser
        let page = "\(bench.media)/login.html"
        try Data("<!doctype html><title>Sign in</title>".utf8).write(to: URL(filePath: page))
        try bench.openPage()
        try browser.click("#new-export")
        try browser.type(page, into: "#files")
        let line =
            try browser.wait(
                for: "document.querySelector('.entry.bad .entry-line')?.innerText") as? String
        #expect(
            line?.contains("login.html") == true && line?.contains("upload:") == false,
            "\(line ?? "")")
        try browser.type(page, into: "#address")
        try browser.press("\u{E007}")
        try browser.wait(for: "document.querySelectorAll('.entry').length === 2")
        let icons = try browser.run(
            "return [...document.querySelectorAll('.entry > .icon use')].map((use) => use.getAttribute('href'))"
        )
        #expect(icons as? [String] == ["#i-results", "#i-folders"])
    }

    @Test("a scheduled job tells when it starts")
    func tellsStart() throws {
        let bench = try DashboardBench(["--no-workers"])
        let start = ISO8601DateFormatter().string(from: Date() + 3 * 3600 + 60)
        try bench.post("/v1/jobs", ["source": "https://example.com/a.mp4", "notBefore": start])
        try bench.openPage()
        let detail = try bench.browser.wait(
            for: "document.querySelector('.job[data-state=scheduled] .job-detail').innerText")
        #expect(detail as? String == "starts in 3 hr.")
    }
}

import Foundation
import Testing

@testable import TakeupWatch

@Suite("Hook")
struct HookTests {
    @Test("is the same one after its times, events or secret changed, or by its name")
    func keys() throws {
        let plain = try Hook(.web(url: "https://a/b", secretFile: nil))
        let tuned = try Hook(
            .web(url: "https://a/b", secretFile: "/key"), events: [.done], timeoutSeconds: 5)
        #expect(plain.key == tuned.key && plain.key.count == 32)
        let keys = [
            plain.key, try Hook(.web(url: "https://a/c", secretFile: nil)).key,
            try Hook(.command(["https://a/b"])).key, try Hook(.command(["a", "b"])).key,
            try Hook(.command(["a\nb"])).key, try Hook(.command(["a", ""])).key,
            try Hook(name: "a", .command(["a", "b"])).key,
        ]
        #expect(Set(keys).count == keys.count)
        #expect(
            try Hook(name: "n", .command(["a"])).key
                == Hook(name: "n", .web(url: "https://a/", secretFile: nil)).key)
    }

    @Test("says no more of an address than its host")
    func label() throws {
        #expect(
            try Hook(.web(url: "https://chat.example:8443/T0/secret?key=1", secretFile: nil)).label
                == "https://chat.example:8443")
        #expect(
            try Hook(.web(url: "http://u:p@chat.example?x@y", secretFile: nil)).label
                == "http://chat.example")
        #expect(try Hook(.command(["/opt/tell", "--token", "x"])).label == "/opt/tell")
        #expect(try Hook(name: "chat", .command(["tell"])).label == "chat")
    }

    @Test(
        "refuses what cannot be called",
        arguments: [
            .command([]), .command([""]), .command(["a\0b"]),
            .command(Array(repeating: "a", count: 65)), .web(url: "", secretFile: nil),
            .web(url: "http://a/", secretFile: ""),
        ] as [Hook.Target])
    func refused(target: Hook.Target) {
        #expect(throws: WatchError.self) { try Hook(target) }
    }

    @Test("refuses times, names and lists out of their ranges")
    func ranges() throws {
        #expect(throws: WatchError.self) { try Hook(.command(["a"]), timeoutSeconds: 0.5) }
        #expect(throws: WatchError.self) { try Hook(.command(["a"]), timeoutSeconds: 3601) }
        #expect(throws: WatchError.self) { try Hook(.command(["a"]), timeoutSeconds: .nan) }
        #expect(throws: WatchError.self) { try Hook(.command(["a"]), events: []) }
        #expect(throws: WatchError.self) { try Hook(name: "", .command(["a"])) }
        let hooks = try (0..<17).map { try Hook(.command(["\($0)"])) }
        try Hook.check(Array(hooks.prefix(16)))
        #expect(throws: WatchError.self) { try Hook.check(hooks) }
        #expect(throws: WatchError.self) { try Hook.check([hooks[0], hooks[0]]) }
    }
}

@Suite("Hook event")
struct HookEventTests {
    @Test("has a form in JSON that is documented, and is read back from it")
    func form() throws {
        let file = LedgerBench.file("a/\"b\"\n.mov", job: "j1")
        var event = try HookEvent(.failed, of: file, at: 1_700_000_000.25)
        event.fault = .init(code: "unsupported", message: "no <codec>", hint: "none")
        event.output = .init(path: "/out/b.mp4", bytes: 9, sha256: "ab", duration: 2)
        let expected =
            #"{"error":{"code":"unsupported","hint":"none","message":"no <codec>"},"#
            + #""folder":"/in","id":"\#(event.id)","job":"j1","#
            + #""output":{"bytes":9,"duration":2,"path":"/out/b.mp4","sha256":"ab"},"#
            + #""path":"a/\"b\"\n.mov","source":"/in/a/\"b\"\n.mov","#
            + #""time":"2023-11-14T22:13:20.250Z","type":"watch.failed"}"#
        #expect(try event.json() == expected)
        #expect(try JSONDecoder().decode(HookEvent.self, from: Data(expected.utf8)) == event)
    }

    @Test("has an id of its own for each thing that happens, the same for the same")
    func ids() throws {
        let file = LedgerBench.file("a", job: "j")
        let ids = [
            try HookEvent(.done, of: file, at: 1), try HookEvent(.failed, of: file, at: 1),
            try HookEvent(.done, of: file, at: 2),
            try HookEvent(.done, of: LedgerBench.file("b", job: "j"), at: 1),
        ].map(\.id)
        #expect(Set(ids).count == 4)
        #expect(try HookEvent(.done, of: file, at: 1).id == ids[0])
    }

    @Test("says why a file is skipped, and what was done with a source")
    func reasons() throws {
        var file = LedgerBench.file("a", job: nil)
        file.reason = "too small"
        #expect(try HookEvent(.skipped, of: file, at: 1).json().contains(#""reason":"too small""#))
        let action = SourceAction(of: LedgerBench.file("a", job: "j"), job: "j", kind: .trash)
        #expect(
            try HookEvent(action, .done(at: "/t"), at: 1).json()
                .contains(#""action":{"kind":"trash","outcome":"done","place":"/t"}"#))
        #expect(
            try HookEvent(action, .changed, at: 1).json()
                .contains(#""action":{"kind":"trash","outcome":"changed"}"#))
    }

    @Test("goes to hooks that want such an event")
    func wanted() throws {
        let all = try Hook(.command(["a"]))
        let some = try Hook(.command(["b"]), events: [.failed])
        let event = try HookEvent(.done, of: LedgerBench.file("a", job: "j"), at: 1)
        #expect(try OutboxEntry(event, to: [all, some]).hooks == [all.key])
        #expect(try OutboxEntry(event, to: [some]).hooks.isEmpty)
    }
}

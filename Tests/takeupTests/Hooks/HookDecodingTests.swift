import Foundation
import TakeupWatch
import Testing

@testable import takeup

@Suite("Hook settings")
struct HookDecodingTests {
    private func hook(_ text: String) throws -> Hook {
        try JSONDecoder().decode(Hook.self, from: Data(text.utf8))
    }

    private func reason(_ text: String) throws -> String? {
        do {
            _ = try hook(text)
            return nil
        } catch DecodingError.dataCorrupted(let context) {
            return context.debugDescription
        }
    }

    @Test("reads commands and addresses, with what else holds for them")
    func reads() throws {
        #expect(
            try hook(#"{"command": ["tell", "-x"]}"#) == Hook(.command(["tell", "-x"])))
        #expect(
            try hook(
                #"{"url": "https://a.example/h?k=1", "secretFile": "key", "name": "chat","#
                    + #" "events": ["done", "failed"], "timeout": "2m"}"#)
                == Hook(
                    name: "chat", .web(url: "https://a.example/h?k=1", secretFile: "key"),
                    events: [.done, .failed], timeoutSeconds: 120))
        #expect(try hook(#"{"url": "http://127.0.0.1:8080/"}"#).timeoutSeconds == 30)
    }

    @Test(
        "refuses everything else, and says why",
        arguments: [
            (#"{"command": ["a"], "retries": 3, "shell": true}"#, "'retries', 'shell'"),
            (#"{}"#, "either a command or a url"),
            (#"{"command": ["a"], "url": "http://a/"}"#, "either a command or a url"),
            (#"{"command": ["a"], "secretFile": "k"}"#, "secretFile goes with url"),
            (#"{"command": []}"#, "needs a program"),
            (#"{"command": ["a"], "events": ["finished"]}"#, "queued, done, failed"),
            (#"{"command": ["a"], "events": []}"#, "no event"),
            (#"{"command": ["a"], "timeout": "soon"}"#, "no time such as"),
            (#"{"command": ["a"], "timeout": "never"}"#, "no time such as"),
            (#"{"command": ["a"], "timeout": "2h"}"#, "1s nor 1h"),
            (#"{"url": "ftp://a/"}"#, "scheme"),
            (#"{"url": "http://u:p@a/"}"#, "a user name"),
            (#"{"url": "nothing"}"#, "url cannot be used"),
        ])
    func refuses(text: String, words: String) throws {
        let reason = try reason(text) ?? "accepted"
        #expect(reason.contains(words))
    }

    @Test("files are named from the folder of the settings, programs without a slash are not")
    func placed() throws {
        #expect(
            try hook(#"{"command": ["bin/tell", "x/y"]}"#).placed(in: "/etc/takeup").target
                == .command(["/etc/takeup/bin/tell", "x/y"]))
        #expect(
            try hook(#"{"command": ["tell"]}"#).placed(in: "/etc/takeup").target
                == .command(["tell"]))
        #expect(
            try hook(#"{"url": "http://a/", "secretFile": "key"}"#).placed(in: "/etc").target
                == .web(url: "http://a/", secretFile: "/etc/key"))
    }
}

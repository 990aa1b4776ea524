import Foundation
import TakeupFiles
import TakeupIntake
import TakeupJobs
import Testing

@testable import TakeupServe

@Suite("Names that hide a slash")
struct HostileNameTests {
    /// Each makes one character of a slash or dot before it.
    private static let marks = [
        "\u{200D}", "\u{301}", "\u{FE0F}", "\u{20E3}", "\u{E0061}", "\u{903}",
    ]

    private static let names: [String] = marks.flatMap { mark in
        [
            "..\(mark)/", "/\(mark)", "a/\(mark)b", "../\(mark)../\(mark)x.mov", "\\\(mark)..",
            ".\(mark)", ".\(mark).", ".\(mark)./\(mark)", "..\(mark)/..\(mark)/x.mov",
            "/\(mark)/\(mark).mov", "x.mov/\(mark)", "x.\(mark)mov", "\u{600}/x", "\u{600}.x",
            "\u{200D}..\u{200D}", "\u{0}..\(mark)/x", "／\(mark)．．／x", "~\(mark)/x", "-\(mark)x",
            String(repeating: "/\(mark)..", count: 200),
        ]
    }

    @Test("no name leads out of a folder, or is hidden", arguments: names)
    func safe(_ given: String) {
        let bytes = Array(UploadName.safe(given).utf8)
        #expect(!bytes.contains(UInt8(ascii: "/")) && !bytes.contains(UInt8(ascii: "\\")))
        #expect(!bytes.contains(0) && bytes.first != UInt8(ascii: ".") && !bytes.isEmpty)
        let source = Array(SourceName.file(of: "/srv/\(given)").utf8)
        #expect(!source.contains(UInt8(ascii: "/")))
        let address = given.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let remote = Array(SourceName.file(of: "https://x/\(address)").utf8)
        #expect(!remote.contains(UInt8(ascii: "/")) && remote.first != UInt8(ascii: "."))
    }

    @Test("a cut hides no file")
    func cut() {
        let name = "a" + String(repeating: ".", count: 10) + String(repeating: "b", count: 195)
        #expect(SourceName.file(of: "https://x/\(name)").utf8.first == UInt8(ascii: "b"))
    }

    @Test("an upload stays in its folder")
    func upload() throws {
        let trial = try JobTrial()
        for name in ["../%E2%80%8D../%E2%80%8Dout.mov", "..%2F%CC%81..%2F%CC%81out.mov"] {
            let answer = try trial.ask(
                "POST", "/v1/uploads?name=\(name)", bytes: Array("0123456789".utf8),
                [("Content-Type", "application/octet-stream")])
            #expect(answer.status == 201, "\(answer.text)")
            #expect(answer.text.contains("out.mov"))
        }
        let quoted = "attachment; filename=\"../\u{301}../\u{301}b.mov\""
        #expect(DispositionName.of(quoted).map(UploadName.safe) == "\u{301}b.mov")
    }

    @Test("a path from the root stays one", arguments: marks)
    func paths(_ mark: String) throws {
        #expect(
            Array(SourceText.absolute("/\(mark)a/./b", from: "/srv").utf8)
                == Array("/\(mark)a/b".utf8))
        let rule = PathRule(folders: ["/srv/in"], refused: [], uploads: nil)
        #expect(rule.output("/srv/in/..\(mark)/../\(mark)x.mp4") == "/srv/in/\(mark)x.mp4")
        #expect(rule.output("/\(mark)x.mp4") == nil && rule.output("/srv/\(mark)x.mp4") == nil)
        #expect(try rule.upload("../\(mark)x") == nil)
        #expect(!SourceText.shown("https://x/a?\(mark)secret").contains("secret"))
        #expect(!SourceText.shown("https://u:secret@\(mark)x/\(mark)a").contains("secret"))
    }
}

import Foundation
import TakeupModel
import TestSupport
import Testing

@testable import takeup

@Suite("Fetch command and stated digests")
struct FetchDigestTests {
    private let network = AddressBench.network

    private func serve(_ bench: AddressBench, _ clip: Clip, _ field: OriginField) throws -> String {
        bench.serve("/a.mp4", [UInt8](try clip.bytes())) { $0.fields = [field] }
    }

    /// The SHA-256 of a clip, as `sha256sum` writes it and in the form of fields.
    private func sums(_ clip: Clip) throws -> (digits: String, base64: String) {
        let digits = try Subprocess.run("sha256sum", [clip.path]).outputText.prefix(64)
        let bytes = stride(from: 0, to: 64, by: 2).compactMap { place in
            UInt8(digits.dropFirst(place).prefix(2), radix: 16)
        }
        return (String(digits), Data(bytes).base64EncodedString())
    }

    private let wrong = OriginField(
        "Repr-Digest", "sha-256=:\(Data(repeating: 7, count: 32).base64EncodedString()):")

    @Test("says which statement was confirmed")
    func confirmed() async throws {
        let bench = try AddressBench()
        let clip = try Clip.base(seconds: 1)
        let field = OriginField("Repr-Digest", "sha-256=:\(try sums(clip).base64):")
        let address = try serve(bench, clip, field)
        #expect(await bench.run("fetch \(address) \(network) --json") == .success)
        let finished = try #require(try bench.objects().last)
        let confirmed = finished["confirmed"] as? [[String: String]]
        #expect(confirmed == [["field": "Repr-Digest", "algorithm": "sha-256"]])
        #expect(await bench.run("fetch \(address) \(network)") == .success)
        #expect(bench.bench.output.text.contains(", as Repr-Digest (sha-256) says"))
    }

    @Test(
        "drops what is not as stated, and says so with field and values",
        arguments: ["--json", "--quiet", "--checksum sha256:" + String(repeating: "1", count: 64)])
    func mismatch(option: String) async throws {
        let bench = try AddressBench()
        let clip = try Clip.base(seconds: 1)
        let address = try serve(bench, clip, wrong)
        let line = "fetch \(address) \(network) \(option)"
        #expect(await bench.run(line) == .verificationFailed)
        if option == "--json" {
            let error = try #require(try bench.objects().last?["error"] as? [String: Any])
            #expect(error["code"] as? String == "checksumMismatch")
        }
        let told = bench.bench.output.text + bench.bench.diagnostics.text
        let (found, stated) = (try sums(clip).digits, String(repeating: "07", count: 32))
        #expect(told.contains("Repr-Digest") && told.contains(found) && told.contains(stated))
        #expect(!told.contains("key=secret"))
        bench.origin.change("/a.mp4") { $0.fields = [] }
        #expect(await bench.run("fetch \(address) \(network)") == .success)
        #expect(bench.origin.bytesServed("/a.mp4") >= 2 * Int64(try clip.bytes().count))
    }

    @Test("a checksum that is given and right counts more than what is stated")
    func given() async throws {
        let bench = try AddressBench()
        let clip = try Clip.base(seconds: 1)
        let address = try serve(bench, clip, wrong)
        let line = "fetch \(address) \(network) --checksum sha256:\(try sums(clip).digits)"
        #expect(await bench.run("\(line) --json") == .success)
        let finished = try #require(try bench.objects().last)
        let warnings = finished["warnings"] as? [[String: String]]
        #expect(warnings?.map { $0["code"] } == ["statedChecksumWrong"])
        #expect((finished["confirmed"] as? [Any])?.isEmpty == true)
        #expect(await bench.run(line) == .success)
        #expect(bench.bench.diagnostics.text.contains("Repr-Digest"))
    }
}

import TakeupCurl
import TakeupModel
import Testing

@testable import TakeupS3

/// Values that decide without a server.
@Suite("S3 values")
struct S3ValueTests {
    @Test(
        "an address has a bucket and a clear key",
        arguments: [
            ("s3://films", "films", ""), ("s3://films/", "films", ""),
            ("S3://my.films/a/b c.mp4", "my.films", "a/b c.mp4"),
        ])
    func addresses(text: String, bucket: String, key: String) {
        let address = S3Address(text)
        #expect(address?.bucket == bucket)
        #expect(address?.key == key)
    }

    @Test(
        "what servers could read differently is no address",
        arguments: [
            "s3://", "s3://ab/x", "s3://Films/x", "s3://films/a/../b", "s3://films/./b",
            "s3://films/a//b", "s3://films/a\nb", "s3://-films/x", "https://films/x",
        ])
    func noAddresses(text: String) {
        #expect(S3Address(text) == nil)
    }

    @Test("Amazon is addressed by the host's name, a named server by the path")
    func addressing() throws {
        let amazon = S3Endpoint(region: "eu-central-1")
        let key = try amazon.address(bucket: "films", key: "a b/c+d.mp4", query: [("uploads", "")])
        #expect(
            key.text == "https://films.s3.eu-central-1.amazonaws.com/a%20b/c%2Bd.mp4?uploads=")
        let dotted = try amazon.address(bucket: "my.films", key: "a")
        #expect(dotted.text == "https://s3.eu-central-1.amazonaws.com/my.films/a")
        let settings = try S3Settings(
            environment: [
                "AWS_ENDPOINT_URL": "http://127.0.0.1:9000/base/", "AWS_ACCESS_KEY_ID": "k",
                "AWS_SECRET_ACCESS_KEY": "s",
            ]) { _ in nil }
        let named = try settings.endpoint.address(bucket: "films", key: "a", query: [])
        #expect(named.text == "http://127.0.0.1:9000/base/films/a")
        let query = [("b", "2 &"), ("a", "1")]
        let bucket = try settings.endpoint.address(bucket: "films", key: "", query: query)
        #expect(bucket.text == "http://127.0.0.1:9000/base/films?a=1&b=2%20%26")
    }

    @Test("a presigned address is the one of Amazon's own example")
    func presigning() throws {
        let credentials = S3Credentials(
            accessKey: "AKIAIOSFODNN7EXAMPLE",
            secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
        // Source: "Authenticating requests: using query parameters", whose host has no region.
        let server = try S3Settings(
            environment: [
                "AWS_ENDPOINT_URL": "https://s3.amazonaws.com", "AWS_ACCESS_KEY_ID": "k",
                "AWS_SECRET_ACCESS_KEY": "s",
            ]) { _ in nil }.endpoint.server
        let endpoint = S3Endpoint(region: "us-east-1", server: server, usesPath: false)
        let object = try #require(S3Address(bucket: "examplebucket", key: "test.txt"))
        let address = try PresignedAddress.make(
            of: object, on: endpoint, credentials, now: 1_369_353_600, seconds: 86400)
        #expect(
            address.hasSuffix(
                "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
        )
        #expect(address.hasPrefix("https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Alg"))
    }

    @Test("settings come from variables before profiles, and profiles from both files")
    func settings() throws {
        let files = [
            "/h/.aws/credentials": """
            # comment
            [default]
            aws_access_key_id = one
            aws_secret_access_key = two
            [film]
            aws_access_key_id=three
            aws_secret_access_key=four=five
            aws_session_token = six
            """,
            "/h/.aws/config": """
            [profile film]
            region = eu-west-3
            endpoint_url = https://objects.example.com:8443
            s3 =
                addressing_style = virtual
            """,
        ]
        let read: (String) -> String? = { files[$0] }
        let plain = try S3Settings(environment: ["HOME": "/h"], read: read)
        #expect(plain.credentials == S3Credentials(accessKey: "one", secretKey: "two"))
        #expect(plain.endpoint.region == "us-east-1")
        let film = try S3Settings(environment: ["HOME": "/h", "AWS_PROFILE": "film"], read: read)
        #expect(
            film.credentials
                == S3Credentials(accessKey: "three", secretKey: "four=five", sessionToken: "six"))
        #expect(film.endpoint.name == "https://objects.example.com:8443")
        #expect(film.endpoint.region == "eu-west-3")
        #expect(!film.endpoint.usesPath)
        let both = try S3Settings(
            environment: [
                "HOME": "/h", "AWS_PROFILE": "film", "AWS_ACCESS_KEY_ID": "x",
                "AWS_SECRET_ACCESS_KEY": "y", "AWS_REGION": "us-west-1",
            ], read: read)
        #expect(both.credentials == S3Credentials(accessKey: "x", secretKey: "y"))
        #expect(both.endpoint.region == "us-west-1")
        let none = #expect(throws: Failure.self) {
            try S3Settings(environment: ["HOME": "/none"], read: read)
        }
        #expect(none?.code == "credentialsMissing")
        #expect(none?.exitCode == .configuration)
    }

    @Test("keys are in no text")
    func hidden() {
        let keys = S3Credentials(accessKey: "AKIA", secretKey: "hush", sessionToken: "token")
        var text = "\(keys) \(String(reflecting: keys))"
        dump(keys, to: &text)
        for secret in ["AKIA", "hush", "token"] { #expect(!text.contains(secret)) }
    }

    @Test("pauses double up to a bound, by chance, and never fall below what the server asks")
    func backoff() throws {
        let backoff = S3Backoff()
        var error = S3Error(
            operation: .read, kind: .throttled,
            address: try #require(S3Address(bucket: "films", key: "a")), server: "s")
        let bounds = (1...5).map { backoff.delay(after: $0, error, random: 1) }
        #expect(bounds == [0.2, 0.4, 0.8, 1.6, 3.2])
        #expect(backoff.delay(after: 3, error, random: 0) == 0)
        #expect(backoff.delay(after: 6, error, random: 1) == nil)
        error.retryAfter = 5
        #expect(backoff.delay(after: 1, error, random: 0.5) == 5)
        error.retryAfter = 1e9
        #expect(backoff.delay(after: 1, error, random: 0.5) == 60)
        let lost = S3Error(operation: .read, kind: .denied, address: error.address, server: "s")
        #expect(backoff.delay(after: 1, lost, random: 1) == nil)
    }

    @Test("documents are read; declarations and entities are refused")
    func documents() throws {
        let good = try XMLElement.document(
            Array("<?xml version='1.0'?><a xmlns='x'> <b>1 &amp; 2</b><c/></a>".utf8))
        #expect(good.name == "a")
        #expect(good.text(of: "b") == "1 & 2")
        #expect(good["c"] != nil)
        let bomb =
            "<!DOCTYPE a [<!ENTITY b 'bbbb'><!ENTITY c '&b;&b;'>]><a>&c;</a>"
        let file = "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>"
        let deep =
            String(repeating: "<a>", count: 100) + String(repeating: "</a>", count: 100)
        for text in [bomb, file, deep, "", "<a>", "no xml", "<a/><b/>", "<a>&nbsp;</a>"] {
            #expect(throws: XMLElement.Fault.invalid, "\(text.prefix(40))") {
                try XMLElement.document(Array(text.utf8))
            }
        }
    }

    @Test("parts are never too many")
    func parts() {
        #expect(S3Upload.partBytes(of: 1) == 16 << 20)
        let bytes: Int64 = 5_000_000_000_000
        let part = S3Upload.partBytes(of: bytes)
        #expect((bytes + part - 1) / part <= 10_000)
        #expect(part % (1 << 20) == 0)
    }
}

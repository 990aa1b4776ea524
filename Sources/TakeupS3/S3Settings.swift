internal import Foundation
internal import TakeupCurl
public import TakeupModel

/// Where the object store is and what signs its requests, from the variables and files that AWS's own tools read.
///
/// - Note: Source: "Configuration and credential file settings in the AWS CLI".
public struct S3Settings: Sendable {
    public let endpoint: S3Endpoint
    public let credentials: S3Credentials
    /// A file of trusted certificates in place of the system's; nil for those.
    public let authorities: String?

    /// Reads the settings.
    ///
    /// A variable counts before a file, as in AWS's own tools.
    ///
    /// - Parameters:
    ///   - environment: The process's variables.
    ///   - read: The text of a file; nil where there is none.
    /// - Throws: With 78 without credentials, or for settings that cannot be used.
    public init(
        environment: [String: String], read: (String) -> String? = Self.text
    ) throws(Failure) {
        let value: (String) -> String? = { name in
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        let home = value("HOME").map { "\($0)/.aws" }
        let keysPath = value("AWS_SHARED_CREDENTIALS_FILE") ?? home.map { "\($0)/credentials" }
        let configPath = value("AWS_CONFIG_FILE") ?? home.map { "\($0)/config" }
        let keys = ProfileFile(keysPath.flatMap(read) ?? "").sections
        let config = ProfileFile(configPath.flatMap(read) ?? "").sections
        let profile = value("AWS_PROFILE") ?? "default"
        let settings =
            config["profile \(profile)"] ?? (profile == "default" ? config[profile] : nil) ?? [:]
        authorities = value("AWS_CA_BUNDLE") ?? settings["ca_bundle"]
        credentials = try Self.credentials(value, keys[profile] ?? [:], settings, profile)
        let services = settings["services"].flatMap { config["services \($0)"] } ?? [:]
        let server =
            value("AWS_ENDPOINT_URL_S3") ?? value("AWS_ENDPOINT_URL")
            ?? services["s3.endpoint_url"] ?? settings["s3.endpoint_url"]
            ?? settings["endpoint_url"]
        endpoint = S3Endpoint(
            region: try Self.region(
                value("AWS_REGION") ?? value("AWS_DEFAULT_REGION") ?? settings["region"]),
            server: try server.map(Self.server),
            usesPath: Self.usesPath(settings["s3.addressing_style"]))
    }

    /// The text of a file of at most a megabyte.
    public static func text(of path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path),
            let bytes = try? file.read(upToCount: 1 << 20)
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func credentials(
        _ value: (String) -> String?, _ keys: [String: String], _ settings: [String: String],
        _ profile: String
    ) throws(Failure) -> S3Credentials {
        if let access = value("AWS_ACCESS_KEY_ID"), let secret = value("AWS_SECRET_ACCESS_KEY") {
            return S3Credentials(
                accessKey: access, secretKey: secret, sessionToken: value("AWS_SESSION_TOKEN"))
        }
        for section in [keys, settings] {
            if let access = section["aws_access_key_id"],
                let secret = section["aws_secret_access_key"]
            {
                return S3Credentials(
                    accessKey: access, secretKey: secret,
                    sessionToken: section["aws_session_token"])
            }
        }
        let other = ["credential_process", "sso_session", "sso_start_url", "role_arn"]
            .first { settings[$0] != nil || keys[$0] != nil }
        let why = other.map { "; its \($0) is not used" } ?? ""
        throw configuration(
            "credentialsMissing",
            "no credentials for the object store: neither AWS_ACCESS_KEY_ID and"
                + " AWS_SECRET_ACCESS_KEY nor the profile '\(profile)' has them\(why)",
            hint: "set both variables, or put keys into ~/.aws/credentials and name the profile"
                + " with AWS_PROFILE ('aws configure export-credentials' gives those of other kinds)"
        )
    }

    private static func region(_ text: String?) throws(Failure) -> String {
        let region = text ?? "us-east-1"
        let isPlain = region.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
                || (0x41...0x5A).contains($0)
        }
        guard isPlain, (1...64).contains(region.utf8.count) else {
            throw configuration(
                "configuration", "the region of the object store cannot be '\(region.prefix(64))'",
                hint: "set AWS_REGION to a name such as us-east-1")
        }
        return region
    }

    private static func server(_ text: String) throws(Failure) -> WebAddress {
        let wrong = configuration(
            "configuration", "AWS_ENDPOINT_URL is no address of an object store",
            hint: "write it as https://HOST:PORT, without a user, a password or a query")
        let server: WebAddress
        do throws(CurlError) {
            server = try WebAddress(text)
        } catch {
            guard error.operation == .start else { throw wrong }
            throw configuration("configuration", "\(error)", hint: "install libcurl4")
        }
        guard server.query == nil else { throw wrong }
        return server
    }

    private static func usesPath(_ style: String?) -> Bool? {
        switch style {
        case "path": true
        case "virtual": false
        default: nil
        }
    }

    private static func configuration(
        _ code: String, _ message: String, hint: String
    ) -> Failure {
        Failure(
            exitCode: .configuration, code: code, stage: "request", message: message, hint: hint)
    }
}

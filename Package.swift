// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func module(
    _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [],
    resources: [Resource] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, exclude: exclude, resources: resources,
        swiftSettings: settings)
}

func library(_ name: String, _ pkgConfig: String?, _ packages: String...) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt(packages)])
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.byName(name: name), "TestSupport"]
            + dependencies.filter { if case .byNameItem(name, _) = $0 { false } else { true } },
        path: "Tests/\(name.dropFirst("Takeup".count))Tests", swiftSettings: settings)
}

let objectTests: [Target.Dependency] = [
    "TakeupCache", "TakeupCurl", "TakeupDigest", "TakeupFiles", "TakeupLanes", "TakeupModel",
]

/// What the command line is made of.
let commandModules: [Target.Dependency] = [
    "TakeupCache", "TakeupClient", "TakeupCurl", "TakeupDaemon", "TakeupDigest", "TakeupFetch",
    "TakeupFiles", "TakeupHTTP", "TakeupHooks", "TakeupIngest", "TakeupIntake", "TakeupJobs",
    "TakeupMediaClient", "TakeupModel", "TakeupOutput", "TakeupProcess", "TakeupS3", "TakeupServe",
    "TakeupService", "TakeupTimeline", "TakeupLanes", "TakeupTelemetry", "TakeupWatch",
    "TakeupWorker",
]

let package = Package(
    name: "takeup",
    products: [
        .executable(name: "takeup", targets: ["takeup"]),
        .executable(name: "takeup-media", targets: ["TakeupMedia"]),
        .library(name: "TakeupKit", targets: ["TakeupKit"]),
    ],
    targets: [
        library("CTakeupFFmpeg", "libavfilter", "libavfilter-dev", "libavformat-dev"),
        library("CTakeupOpenSSL", "libcrypto", "libssl-dev"),
        library("CTakeupSQLite", "sqlite3", "libsqlite3-dev"),
        library("CTakeupCurl", nil, "libcurl4-openssl-dev"),
        library("CTakeupMicrohttpd", "libmicrohttpd", "libmicrohttpd-dev"),
        .systemLibrary(name: "CTakeupLinux"),
        .systemLibrary(name: "CTakeupPostgres"),
        .systemLibrary(name: "CTakeupXML"),
        module("TakeupTimeline"),
        module("TakeupLanes", ["CTakeupLinux"]),
        module("TakeupFiles", ["CTakeupLinux"]),
        module("TakeupProcess", ["CTakeupLinux", "TakeupLanes"]),
        module("TakeupTelemetry"),
        module("TakeupFields"),
        module("TakeupDigest", ["CTakeupOpenSSL", "TakeupFiles"]),
        module(
            "TakeupFFmpeg",
            [
                "CTakeupFFmpeg", "TakeupFiles", "TakeupTimeline", "TakeupLanes", "TakeupTelemetry",
            ]),
        module(
            "TakeupModel", ["TakeupTimeline"], exclude: ["Preset/Shipped/templates"],
            resources: [.embedInCode("Preset/Shipped")]),  // a link: no file is needed on disk
        module("TakeupOutput", ["TakeupModel", "TakeupFiles", "TakeupLanes"]),
        module(
            "TakeupExport",
            [
                "TakeupModel", "TakeupOutput", "TakeupFFmpeg", "TakeupFiles", "TakeupDigest",
                "TakeupTimeline", "TakeupLanes", "TakeupTelemetry",
            ]),
        module(
            "TakeupMediaClient", ["TakeupModel", "TakeupProcess", "TakeupLanes", "TakeupTimeline"]),
        module("TakeupSQL", ["TakeupModel", "TakeupLanes"]),
        module("TakeupSQLite", ["CTakeupSQLite", "TakeupSQL"]),
        module("TakeupPostgres", ["CTakeupPostgres", "TakeupSQL"]),
        module(
            "TakeupJobs",
            [
                "TakeupModel", "TakeupSQL", "TakeupSQLite", "TakeupFiles", "TakeupDigest",
                "TakeupTimeline", "TakeupLanes",
            ],
            resources: [.embedInCode("Migrations")]),
        module(
            "TakeupIntake",
            [
                "TakeupJobs", "TakeupModel", "TakeupCurl", "TakeupS3", "TakeupFiles",
                "TakeupTimeline",
            ], resources: [.embedInCode("Templates")]),
        module(
            "TakeupWatch",
            [
                "TakeupModel", "TakeupSQL", "TakeupSQLite", "TakeupDigest", "TakeupFiles",
                "TakeupLanes",
            ],
            resources: [.embedInCode("Migrations")]),
        module(
            "TakeupCache",
            [
                "TakeupModel", "TakeupSQL", "TakeupSQLite", "TakeupFiles", "TakeupDigest",
                "TakeupLanes",
            ],
            resources: [.embedInCode("Migrations")]),
        module("TakeupCurl", ["CTakeupCurl", "TakeupLanes"]),
        module(
            "TakeupS3",
            [
                "CTakeupXML", "TakeupCurl", "TakeupDigest", "TakeupFields", "TakeupLanes",
                "TakeupModel",
            ]),
        module(
            "TakeupBucket",
            ["TakeupCache", "TakeupS3", "TakeupDigest", "TakeupFiles", "TakeupModel"]),
        module(
            "TakeupFetch",
            [
                "TakeupCurl", "TakeupDigest", "TakeupFields", "TakeupFiles", "TakeupLanes",
                "TakeupTelemetry",
            ]),
        module(
            "TakeupWorker",
            [
                "TakeupMediaClient", "TakeupModel", "TakeupOutput", "TakeupFetch", "TakeupCache",
                "TakeupJobs", "TakeupS3", "TakeupSQL", "TakeupCurl", "TakeupDigest", "TakeupFiles",
                "TakeupProcess", "TakeupTimeline", "TakeupLanes", "TakeupTelemetry",
            ]),
        module(
            "TakeupHooks",
            [
                "TakeupWatch", "TakeupFetch", "TakeupCurl", "TakeupDigest", "TakeupFields",
                "TakeupProcess", "TakeupLanes", "TakeupModel", "TakeupTelemetry",
            ]),
        module(
            "TakeupIngest",
            [
                "TakeupHooks", "TakeupWatch", "TakeupIntake", "TakeupWorker", "TakeupJobs",
                "TakeupMediaClient", "TakeupDigest", "TakeupFiles", "TakeupLanes", "TakeupModel",
                "TakeupTelemetry",
            ]),
        module(
            "TakeupService",
            [
                "TakeupWorker", "TakeupWatch", "TakeupFetch", "TakeupBucket", "TakeupCache",
                "TakeupS3", "TakeupJobs", "TakeupSQL", "TakeupSQLite", "TakeupPostgres",
                "TakeupModel", "TakeupCurl", "TakeupDigest", "TakeupFiles", "TakeupLanes",
                "TakeupTelemetry",
            ]),
        module(
            "TakeupDaemon",
            [
                "TakeupService", "TakeupIngest", "TakeupHooks", "TakeupWatch", "TakeupWorker",
                "TakeupFetch", "TakeupJobs", "TakeupFiles", "TakeupLanes", "TakeupModel",
                "TakeupTelemetry",
            ]),
        module(
            "TakeupClient",
            [
                "TakeupService", "TakeupIntake", "TakeupJobs", "TakeupCurl", "TakeupDigest",
                "TakeupLanes", "TakeupModel", "TakeupTimeline",
            ]),
        module("TakeupHTTP", ["CTakeupMicrohttpd", "TakeupFields", "TakeupFiles", "TakeupLanes"]),
        module(
            "TakeupServe",
            [
                "TakeupHTTP", "TakeupDaemon", "TakeupService", "TakeupWorker", "TakeupIngest",
                "TakeupIntake", "TakeupWatch", "TakeupFetch", "TakeupCache", "TakeupJobs",
                "TakeupMediaClient", "TakeupOutput", "TakeupCurl", "TakeupDigest", "TakeupFields",
                "TakeupFiles", "TakeupLanes", "TakeupModel", "TakeupSQLite", "TakeupTelemetry",
                "TakeupTimeline",
            ],
            resources: [.embedInCode("Dashboard/Assets")]),
        module(
            "TakeupKit",
            [
                "TakeupExport", "TakeupFFmpeg", "TakeupModel", "TakeupMediaClient", "TakeupLanes",
                "TakeupTimeline", "TakeupJobs", "TakeupCache", "TakeupFetch", "TakeupWorker",
                "TakeupService",
            ]),
        .executableTarget(
            name: "TakeupMedia",
            dependencies: [
                "TakeupMediaClient", "TakeupExport", "TakeupFFmpeg", "TakeupModel", "TakeupDigest",
                "TakeupFiles", "TakeupLanes", "TakeupProcess", "TakeupTelemetry", "TakeupTimeline",
            ],
            path: "Sources/takeup-media", swiftSettings: settings),
        .executableTarget(name: "takeup", dependencies: commandModules, swiftSettings: settings),
        .target(
            name: "TestSupport", dependencies: ["TakeupPostgres", "TakeupSQL", "TakeupSQLite"],
            path: "Tests/TestSupport", swiftSettings: settings),
        .testTarget(
            name: "TestSupportTests", dependencies: ["TestSupport"], swiftSettings: settings),
        tests("TakeupTimeline"), tests("TakeupTelemetry"), tests("TakeupLanes"),
        tests("TakeupSQLite", ["TakeupLanes", "TakeupSQL"]),
        tests(
            "TakeupJobs",
            [
                "TakeupLanes", "TakeupModel", "TakeupPostgres", "TakeupSQL", "TakeupSQLite",
                "TakeupTimeline",
            ]),
        tests("TakeupFiles"), tests("TakeupProcess"),
        tests(
            "TakeupWatch",
            ["TakeupDigest", "TakeupFiles", "TakeupLanes", "TakeupSQL", "TakeupSQLite"]),
        tests(
            "TakeupCache",
            ["TakeupDigest", "TakeupFiles", "TakeupLanes", "TakeupSQL", "TakeupSQLite"]),
        tests("TakeupS3", objectTests), tests("TakeupBucket", objectTests + ["TakeupS3"]),
        tests("TakeupCurl", ["TakeupLanes"]),
        tests(
            "TakeupFetch",
            [
                "TakeupCurl", "TakeupDigest", "TakeupFields", "TakeupFiles", "TakeupLanes",
                "TakeupTelemetry",
            ]),
        tests(
            "TakeupWorker",
            commandModules + [
                "takeup", "TakeupMedia", "TakeupKit", "TakeupBucket", "TakeupExport",
                "TakeupFFmpeg", "TakeupPostgres", "TakeupSQL", "TakeupSQLite",
            ]),
        tests("TakeupModel"),
        tests("TakeupHTTP", ["TakeupFields", "TakeupLanes"]),
        tests("TakeupServe", commandModules + ["TakeupMedia", "TakeupSQLite", "takeup"]),
        tests("TakeupFFmpeg", ["TakeupLanes", "TakeupTelemetry", "TakeupTimeline"]),
        tests(
            "TakeupExport",
            [
                "TakeupFFmpeg", "TakeupFiles", "TakeupLanes", "TakeupModel", "TakeupOutput",
                "TakeupTimeline",
            ]),
        tests("TakeupKit", ["TakeupMedia"]),
        tests("TakeupIntake", ["TakeupModel", "TakeupJobs", "TakeupTimeline"]),
        .testTarget(
            name: "takeupTests",
            dependencies: commandModules + [
                "takeup", "TakeupMedia", "TestSupport", "TakeupExport", "TakeupSQL", "TakeupSQLite",
            ],
            swiftSettings: settings),
    ]
)

// `scripts/sanitize --short` asks for some tests: no others are built, nor what they would need.
let asked = Context.environment["TAKEUP_TESTS"]?.split(separator: " ") ?? []
if !asked.isEmpty {
    let known = Set(package.targets.map(\.name))
    precondition(known.isSuperset(of: asked.map(String.init)), "TAKEUP_TESTS names no target")
    package.targets.removeAll { $0.type == .test && !asked.contains(Substring($0.name)) }
}

// `scripts/fuzz` asks for the fuzzers; every other build does without libFuzzer.
if Context.environment["TAKEUP_FUZZERS"] != nil {
    package.targets.append(.systemLibrary(name: "CFuzzer", path: "Fuzzers/CFuzzer"))
    let seeded = ["BatchListFuzzer", "TimelineFuzzer"]
    package.targets += (seeded + ["DemuxToPlanFuzzer", "PresetFuzzer"]).map { name in
        .executableTarget(
            name: name,
            dependencies: [
                "CFuzzer", "TakeupExport", "TakeupFFmpeg", "TakeupIntake", "TakeupJobs",
                "TakeupLanes", "TakeupModel", "TakeupTelemetry", "TakeupTimeline",
            ], path: "Fuzzers/\(name)",
            exclude: seeded.contains(name) ? ["Seeds"] : [], swiftSettings: settings)
    }
    package.targets += ["AddressFuzzer", "HTTPFuzzer", "OriginFuzzer"].map { name in
        .executableTarget(
            name: name,
            dependencies: ["CFuzzer", "TakeupCurl", "TakeupDigest", "TakeupFetch", "TakeupFields"]
                + (name == "HTTPFuzzer" ? ["TakeupHTTP", "TakeupServe"] : []),
            path: "Fuzzers/\(name)", exclude: ["Seeds"], swiftSettings: settings)
    }
}

if Context.environment["TAKEUP_BENCHMARKS"] != nil {
    let benchmarks: [(String, [Target.Dependency])] = [
        ("CacheBenchmark", ["TakeupCache", "TakeupSQLite"]),
        ("FetchBenchmark", ["TakeupFetch", "TestSupport"]),
        ("QueueBenchmark", ["CTakeupPostgres", "TakeupJobs", "TakeupPostgres", "TakeupS3"]),
        ("TestOriginServer", ["TestSupport"]),
    ]
    package.targets += benchmarks.map { name, uses in
        .executableTarget(
            name: name,
            dependencies: uses + ["TakeupDigest", "TakeupLanes", "TakeupModel", "TakeupSQL"],
            path: "\(name.hasPrefix("Test") ? "Tests" : "Benchmarks")/\(name)",
            swiftSettings: settings)
    }
}

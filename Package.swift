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
    _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.byName(name: name), "TestSupport"] + dependencies,
        path: "Tests/\(name.dropFirst("Takeup".count))Tests",
        swiftSettings: settings)
}

let package = Package(
    name: "takeup",
    products: [
        .executable(name: "takeup", targets: ["takeup"]),
        .library(name: "TakeupKit", targets: ["TakeupKit"]),
    ],
    targets: [
        .systemLibrary(
            name: "CTakeupFFmpeg", pkgConfig: "libavfilter",
            providers: [.apt(["libavfilter-dev", "libavformat-dev"])]),
        .systemLibrary(
            name: "CTakeupOpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CTakeupSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CTakeupLinux"),
        module("TakeupTimeline"),
        module("TakeupLanes"),
        module("TakeupFiles", ["CTakeupLinux"]),
        module("TakeupProcess", ["CTakeupLinux", "TakeupLanes"]),
        module("TakeupTelemetry"),
        module("TakeupDigest", ["CTakeupOpenSSL"]),
        module(
            "TakeupFFmpeg",
            ["CTakeupFFmpeg", "TakeupTimeline", "TakeupLanes", "TakeupTelemetry"]),
        module(
            "TakeupExport",
            [
                "TakeupFFmpeg", "TakeupFiles", "TakeupDigest", "TakeupTimeline", "TakeupLanes",
                "TakeupTelemetry",
            ],
            // A link to `presets/`: the shipped presets are found without any file on disk.
            resources: [.embedInCode("Preset/Shipped")]),
        module("TakeupSQLite", ["CTakeupSQLite"]),
        module(
            "TakeupJobs", ["TakeupSQLite", "TakeupTimeline", "TakeupLanes"]),
        module(
            "TakeupWorker",
            [
                "TakeupExport", "TakeupFFmpeg", "TakeupDigest", "TakeupProcess", "TakeupTimeline",
                "TakeupLanes", "TakeupTelemetry",
            ]),
        module("TakeupKit", ["TakeupExport", "TakeupTimeline"]),
        .executableTarget(
            name: "takeup",
            dependencies: [
                "TakeupFFmpeg", "TakeupExport", "TakeupTimeline", "TakeupLanes", "TakeupTelemetry",
                "TakeupWorker",
            ],
            swiftSettings: settings),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
        .testTarget(
            name: "TestSupportTests", dependencies: ["TestSupport"],
            path: "Tests/TestSupportTests", swiftSettings: settings),
        tests("TakeupTimeline"),
        tests("TakeupSQLite"),
        tests("TakeupLanes"),
        tests("TakeupFiles"),
        tests("TakeupProcess"),
        tests("TakeupWorker", ["takeup", "TakeupExport", "TakeupProcess", "TakeupTimeline"]),
        tests("TakeupFFmpeg", ["TakeupLanes", "TakeupTelemetry", "TakeupTimeline"]),
        tests("TakeupExport", ["TakeupFFmpeg", "TakeupLanes", "TakeupTimeline", "TakeupKit"]),
        .testTarget(
            name: "takeupTests",
            dependencies: [
                "takeup", "TakeupExport", "TakeupFFmpeg", "TakeupLanes", "TakeupTimeline",
            ],
            swiftSettings: settings),
    ]
)

// `scripts/fuzz` asks for the fuzzers; every other build does without libFuzzer.
if Context.environment["TAKEUP_FUZZERS"] != nil {
    package.targets.append(.systemLibrary(name: "CFuzzer", path: "Fuzzers/CFuzzer"))
    package.targets += ["DemuxToPlanFuzzer", "PresetFuzzer"].map { name in
        .executableTarget(
            name: name,
            dependencies: [
                "CFuzzer", "TakeupExport", "TakeupFFmpeg", "TakeupLanes", "TakeupTelemetry",
                "TakeupTimeline",
            ],
            path: "Fuzzers/\(name)", swiftSettings: settings)
    }
}

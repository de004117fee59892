// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The settings of what apps link: unsafe constructs must be marked.
let sourceSettings = settings + [.strictMemorySafety()]

let package = Package(
    name: "convert-swift-sdk",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
    products: [
        .library(name: "ConvertECMAScript", targets: ["ConvertECMAScript"]),
        .library(name: "ConvertSwiftSDKCore", targets: ["ConvertSwiftSDKCore"]),
        .library(name: "ConvertLedgers", targets: ["ConvertLedgers"]),
        .library(name: "ConvertMonitoring", targets: ["ConvertMonitoring"]),
        .library(name: "ConvertTransport", targets: ["ConvertTransport"]),
        .library(name: "ConvertSwiftSDK", targets: ["ConvertSwiftSDK"]),
        .library(name: "ConvertTesting", targets: ["ConvertTesting"]),
        .library(name: "ConvertMobileRules", targets: ["ConvertMobileRules"]),
        .library(name: "ConvertSQLiteStores", targets: ["ConvertSQLiteStores"]),
        .library(name: "ConvertPostgresStores", targets: ["ConvertPostgresStores"]),
        .library(name: "ConvertAnalysis", targets: ["ConvertAnalysis"]),
        .library(name: "ConvertRemoteEvaluation", targets: ["ConvertRemoteEvaluation"]),
        .executable(name: "convert-sdk", targets: ["convert-sdk"]),
        .executable(name: "convert-benchmarks", targets: ["convert-benchmarks"]),
        .plugin(name: "ConvertLintPlugin", targets: ["ConvertLintPlugin"]),
    ],
    traits: [
        .trait(name: "Postgres", description: "Builds ConvertPostgresStores, which needs libpq and its headers."),
        .trait(name: "Simulation", description: "Lets Tests/Simulation plant faults; not for apps."),
    ],
    targets: [
        .target(name: "ConvertConcurrency", swiftSettings: sourceSettings),
        .target(name: "CConvertUnicode", exclude: ["Generator"]),
        .target(
            name: "ConvertECMAScript", dependencies: ["CConvertUnicode", "ConvertConcurrency"],
            swiftSettings: sourceSettings),
        .target(name: "ConvertValues", dependencies: ["ConvertECMAScript"], swiftSettings: sourceSettings),
        .target(
            name: "ConvertSwiftSDKCore", dependencies: ["ConvertValues", "ConvertECMAScript", "ConvertConcurrency"],
            swiftSettings: sourceSettings),
        .target(
            name: "ConvertLedgers", dependencies: ["ConvertSwiftSDKCore", "ConvertECMAScript", "ConvertConcurrency"],
            swiftSettings: sourceSettings),
        .target(
            name: "CConvertCurl", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(
            name: "ConvertTransport", dependencies: ["CConvertCurl", "ConvertConcurrency"],
            swiftSettings: sourceSettings),
        .target(
            name: "ConvertMonitoring", dependencies: ["ConvertTransport", "ConvertSwiftSDKCore"],
            swiftSettings: sourceSettings),
        .target(
            name: "ConvertSwiftSDK",
            dependencies: [
                "ConvertTransport", "ConvertMonitoring", "ConvertLedgers", "ConvertSwiftSDKCore", "ConvertValues",
                "ConvertECMAScript", "ConvertConcurrency",
            ],
            swiftSettings: sourceSettings),
        .target(
            name: "ConvertTesting",
            dependencies: [
                "ConvertSwiftSDK", "ConvertLedgers", "ConvertSwiftSDKCore", "ConvertECMAScript", "ConvertConcurrency",
            ],
            swiftSettings: sourceSettings),
        .systemLibrary(
            name: "CConvertZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .target(
            name: "ConvertMobileRules",
            dependencies: [
                "CConvertZlib", "ConvertTransport", "ConvertValues", "ConvertECMAScript", "ConvertConcurrency",
            ],
            swiftSettings: sourceSettings),
        .systemLibrary(
            name: "CConvertSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
        .target(
            name: "ConvertStoreSupport",
            dependencies: ["ConvertMobileRules", "ConvertECMAScript", "ConvertConcurrency"],
            swiftSettings: sourceSettings),
        .target(
            name: "ConvertSQLiteStores",
            dependencies: [
                "CConvertSQLite", "ConvertStoreSupport", "ConvertLedgers", "ConvertMobileRules", "ConvertSwiftSDKCore",
                "ConvertECMAScript", "ConvertConcurrency",
            ],
            swiftSettings: sourceSettings),
        .systemLibrary(
            name: "CConvertPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(
            name: "ConvertPostgresStores",
            dependencies: [
                .target(name: "CConvertPostgres", condition: .when(traits: ["Postgres"])), "ConvertStoreSupport",
                "ConvertLedgers", "ConvertMobileRules", "ConvertSwiftSDKCore", "ConvertECMAScript",
                "ConvertConcurrency",
            ],
            swiftSettings: sourceSettings),
        .target(
            name: "ConvertParityVectors",
            dependencies: [
                "ConvertSwiftSDK", "ConvertLedgers", "ConvertTransport", "ConvertMobileRules", "ConvertSwiftSDKCore",
                "ConvertValues", "ConvertECMAScript", "ConvertConcurrency",
            ],
            swiftSettings: sourceSettings),
        .target(
            name: "ConvertAnalysis",
            dependencies: [
                "ConvertSwiftSDK", "ConvertSwiftSDKCore", "ConvertValues", "ConvertECMAScript", "ConvertConcurrency",
            ],
            swiftSettings: sourceSettings),
        .target(
            name: "ConvertRemoteEvaluation",
            dependencies: [
                "ConvertSwiftSDK", "ConvertTransport", "ConvertSwiftSDKCore", "ConvertECMAScript", "ConvertConcurrency",
            ],
            swiftSettings: sourceSettings),
        .executableTarget(
            name: "convert-sdk",
            dependencies: [
                "ConvertAnalysis", "ConvertRemoteEvaluation", "ConvertParityVectors", "ConvertMobileRules",
                "ConvertSwiftSDK", "ConvertTransport", "ConvertSwiftSDKCore", "ConvertValues", "ConvertECMAScript",
                "ConvertConcurrency",
            ],
            swiftSettings: sourceSettings),
        .plugin(
            name: "ConvertLintPlugin",
            capability: .command(
                intent: .custom(verb: "convert-lint", description: "Runs convert-sdk lint, with the same arguments.")),
            path: "Sources/ConvertLintPlugin"),
        .executableTarget(
            name: "convert-benchmarks",
            dependencies: [
                "ConvertAnalysis", "ConvertRemoteEvaluation", "ConvertPostgresStores", "ConvertSQLiteStores",
                "ConvertMonitoring", "ConvertSwiftSDK", "ConvertLedgers", "ConvertTransport", "ConvertMobileRules",
                "ConvertSwiftSDKCore", "ConvertECMAScript", "ConvertConcurrency",
            ],
            swiftSettings: sourceSettings),
        .target(
            name: "ConvertTestSupport", dependencies: ["ConvertTransport", "ConvertConcurrency"],
            path: "Tests/TestSupport/ConvertTestSupport", swiftSettings: settings),
        .target(
            name: "ConvertTestServer", dependencies: ["CConvertZlib", "ConvertTestSupport", "ConvertConcurrency"],
            path: "Tests/TestSupport/ConvertTestServer", swiftSettings: settings),
        // All tests are linked into one executable, so one of the test targets suffices to set it.
        .target(name: "CConvertTestWidth", path: "Tests/TestSupport/CConvertTestWidth"),
        .testTarget(
            name: "ConvertConcurrencyTests",
            dependencies: ["CConvertTestWidth", "ConvertConcurrency", "ConvertTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "ConvertECMAScriptTests", dependencies: ["ConvertECMAScript", "ConvertTestSupport"],
            swiftSettings: settings),
        .testTarget(name: "ConvertValuesTests", dependencies: ["ConvertValues"], swiftSettings: settings),
        .testTarget(
            name: "ConvertSwiftSDKCoreTests",
            dependencies: ["ConvertSwiftSDKCore", "ConvertValues", "ConvertECMAScript", "ConvertTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "ConvertParityVectorsTests",
            dependencies: ["ConvertParityVectors", "ConvertSwiftSDKCore", "ConvertECMAScript", "ConvertTestSupport"],
            swiftSettings: settings),
        .executableTarget(
            name: "ConvertTransportProbe", dependencies: ["ConvertTransport"],
            path: "Tests/TestSupport/ConvertTransportProbe", swiftSettings: settings),
        .testTarget(
            name: "ConvertTransportTests",
            dependencies: [
                "ConvertTransport", "CConvertCurl", "ConvertConcurrency", "ConvertTransportProbe", "ConvertTestServer",
                "ConvertTestSupport",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "ConvertEndProbe", dependencies: ["ConvertPostgresStores", "ConvertSwiftSDK"],
            path: "Tests/TestSupport/ConvertEndProbe", swiftSettings: settings),
        .testTarget(
            name: "ConvertSwiftSDKTests",
            dependencies: [
                "ConvertEndProbe", "ConvertMonitoring", "ConvertSwiftSDK", "ConvertLedgers", "ConvertTransport",
                "ConvertTestServer", "ConvertTestSupport", "ConvertSwiftSDKCore", "ConvertECMAScript",
                "ConvertConcurrency",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "ConvertStress",
            dependencies: [
                "ConvertPostgresStores", "ConvertSQLiteStores", "ConvertMonitoring", "ConvertSwiftSDK",
                "ConvertLedgers", "ConvertTransport", "ConvertMobileRules", "ConvertSwiftSDKCore", "ConvertECMAScript",
                "ConvertTestSupport", "ConvertConcurrency",
            ],
            path: "Tests/Stress", swiftSettings: settings),
        .testTarget(
            name: "ConvertTestingTests",
            dependencies: [
                "ConvertTesting", "ConvertMonitoring", "ConvertSwiftSDK", "ConvertLedgers", "ConvertSwiftSDKCore",
                "ConvertECMAScript", "ConvertConcurrency", "ConvertTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ConvertMobileRulesTests",
            dependencies: [
                "ConvertMobileRules", "ConvertTransport", "ConvertTestServer", "ConvertTestSupport", "ConvertValues",
                "ConvertECMAScript", "ConvertConcurrency",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "ConvertStoreProbe",
            dependencies: [
                "CConvertSQLite", "ConvertSQLiteStores", "ConvertMonitoring", "ConvertSwiftSDK", "ConvertLedgers",
                "ConvertTransport", "ConvertMobileRules", "ConvertSwiftSDKCore", "ConvertECMAScript",
                "ConvertConcurrency", "ConvertTestSupport",
            ],
            path: "Tests/TestSupport/ConvertStoreProbe", swiftSettings: settings),
        .target(
            name: "ConvertStoreContracts",
            dependencies: [
                "ConvertSwiftSDK", "ConvertMobileRules", "ConvertSwiftSDKCore", "ConvertECMAScript",
                "ConvertTestSupport",
            ],
            path: "Tests/TestSupport/ConvertStoreContracts", swiftSettings: settings),
        .testTarget(
            name: "ConvertSQLiteStoresTests",
            dependencies: [
                "ConvertStress", "ConvertStoreProbe", "ConvertStoreContracts", "ConvertTestServer",
                "ConvertTestSupport", "ConvertSQLiteStores", "ConvertStoreSupport", "ConvertTesting", "ConvertSwiftSDK",
                "ConvertLedgers", "ConvertMobileRules", "ConvertSwiftSDKCore", "ConvertECMAScript",
                "ConvertConcurrency",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ConvertPostgresStoresTests",
            dependencies: [
                "ConvertPostgresStores", "ConvertTesting", "ConvertStoreContracts", "ConvertTestServer",
                "ConvertTestSupport", "ConvertStoreSupport", "ConvertMonitoring", "ConvertSwiftSDK", "ConvertLedgers",
                "ConvertMobileRules", "ConvertSwiftSDKCore", "ConvertECMAScript", "ConvertConcurrency",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ConvertAnalysisTests",
            dependencies: [
                "ConvertAnalysis", "ConvertMonitoring", "ConvertSwiftSDK", "ConvertLedgers", "ConvertSwiftSDKCore",
                "ConvertECMAScript", "ConvertTestSupport",
            ],
            swiftSettings: settings),
        .target(name: "CConvertSimulation", path: "Tests/Simulation/CConvertSimulation"),
        .executableTarget(
            name: "convert-simulation",
            dependencies: [
                "CConvertSimulation", "ConvertSQLiteStores", "ConvertMonitoring", "ConvertSwiftSDK", "ConvertLedgers",
                "ConvertTransport", "ConvertMobileRules", "ConvertSwiftSDKCore", "ConvertECMAScript",
                "ConvertTestSupport", "ConvertConcurrency",
            ],
            path: "Tests/Simulation/convert-simulation", swiftSettings: settings),
        // It runs the executable, which must not be linked into the tests: it stands in for the system's functions.
        .testTarget(
            name: "ConvertSimulationTests", dependencies: ["ConvertTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "ConvertRemoteEvaluationTests",
            dependencies: [
                "ConvertRemoteEvaluation", "ConvertTesting", "ConvertSwiftSDK", "ConvertLedgers", "ConvertSwiftSDKCore",
                "ConvertECMAScript", "ConvertTestSupport",
            ],
            swiftSettings: settings),
        // Without access to what is not public: its files hold what the documentation shows.
        .testTarget(
            name: "ConvertDocumentationTests",
            dependencies: [
                "ConvertMonitoring", "ConvertSwiftSDK", "ConvertLedgers", "ConvertTesting", "ConvertSQLiteStores",
                "ConvertPostgresStores", "ConvertMobileRules", "ConvertTransport", "ConvertAnalysis",
                "ConvertRemoteEvaluation", "ConvertSwiftSDKCore", "ConvertECMAScript", "ConvertTestServer",
            ],
            exclude: ["Manifest"], packageAccess: false, swiftSettings: settings),
        .testTarget(
            name: "ConvertCommandLineTests",
            dependencies: [
                "convert-sdk", "ConvertAnalysis", "ConvertMobileRules", "ConvertSwiftSDKCore", "ConvertECMAScript",
                "ConvertTestServer", "ConvertTestSupport",
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

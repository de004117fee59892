// swift-tools-version: 6.1

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "convert-swift-sdk",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "ConvertECMAScript", targets: ["ConvertECMAScript"]),
        .library(name: "ConvertSwiftSDKCore", targets: ["ConvertSwiftSDKCore"]),
        .library(name: "ConvertTransport", targets: ["ConvertTransport"]),
        .library(name: "ConvertCurlTransport", targets: ["ConvertCurlTransport"]),
        .library(name: "ConvertSwiftSDK", targets: ["ConvertSwiftSDK"]),
        .library(name: "ConvertMobileRules", targets: ["ConvertMobileRules"]),
        .library(name: "ConvertSQLiteStores", targets: ["ConvertSQLiteStores"]),
        .executable(name: "convert-sdk", targets: ["convert-sdk"]),
        .executable(name: "convert-benchmarks", targets: ["convert-benchmarks"]),
    ],
    targets: [
        .target(
            name: "ConvertECMAScript", exclude: ["Unicode/Generator"], swiftSettings: settings),
        .target(name: "ConvertSwiftSDKCore", dependencies: ["ConvertECMAScript"], swiftSettings: settings),
        .target(name: "ConvertTransport", swiftSettings: settings),
        .systemLibrary(
            name: "CConvertCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .target(
            name: "ConvertCurlTransport", dependencies: ["CConvertCurl", "ConvertTransport"], swiftSettings: settings),
        .target(
            name: "ConvertSwiftSDK", dependencies: ["ConvertTransport", "ConvertSwiftSDKCore", "ConvertECMAScript"],
            swiftSettings: settings),
        .systemLibrary(
            name: "CConvertZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .target(
            name: "ConvertMobileRules",
            dependencies: ["CConvertZlib", "ConvertTransport", "ConvertSwiftSDKCore", "ConvertECMAScript"],
            swiftSettings: settings),
        .systemLibrary(
            name: "CConvertSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
        .target(
            name: "ConvertSQLiteStores",
            dependencies: [
                "CConvertSQLite", "ConvertSwiftSDK", "ConvertMobileRules", "ConvertSwiftSDKCore", "ConvertECMAScript",
            ],
            swiftSettings: settings),
        .target(
            name: "ConvertParityVectors",
            dependencies: [
                "ConvertSwiftSDK", "ConvertTransport", "ConvertMobileRules", "ConvertSwiftSDKCore", "ConvertECMAScript",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "convert-sdk",
            dependencies: [
                "ConvertParityVectors", "ConvertMobileRules", "ConvertSwiftSDK", "ConvertTransport",
                "ConvertSwiftSDKCore",
                "ConvertECMAScript",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "convert-benchmarks",
            dependencies: [
                "ConvertSQLiteStores", "ConvertSwiftSDK", "ConvertMobileRules", "ConvertSwiftSDKCore",
                "ConvertECMAScript",
            ],
            swiftSettings: settings),
        .target(name: "ConvertTestSupport", path: "Tests/ConvertTestSupport", swiftSettings: settings),
        .testTarget(
            name: "ConvertECMAScriptTests", dependencies: ["ConvertECMAScript", "ConvertTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "ConvertSwiftSDKCoreTests",
            dependencies: ["ConvertSwiftSDKCore", "ConvertECMAScript", "ConvertTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "ConvertParityVectorsTests",
            dependencies: ["ConvertParityVectors", "ConvertSwiftSDKCore", "ConvertECMAScript"],
            swiftSettings: settings),
        .target(
            name: "ConvertTestServer", dependencies: ["CConvertZlib"], path: "Tests/TestSupport/ConvertTestServer",
            swiftSettings: settings),
        .testTarget(
            name: "ConvertTransportTests",
            dependencies: ["ConvertCurlTransport", "ConvertTransport", "ConvertTestServer", "ConvertTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "ConvertSwiftSDKTests",
            dependencies: [
                "ConvertSwiftSDK", "ConvertTransport", "ConvertCurlTransport", "ConvertTestServer",
                "ConvertSwiftSDKCore", "ConvertECMAScript",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ConvertMobileRulesTests",
            dependencies: [
                "ConvertMobileRules", "ConvertTransport", "ConvertTestServer", "ConvertSwiftSDKCore",
                "ConvertECMAScript",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "ConvertStoreProbe",
            dependencies: ["ConvertSQLiteStores", "ConvertSwiftSDK", "ConvertMobileRules", "ConvertSwiftSDKCore"],
            path: "Tests/TestSupport/ConvertStoreProbe", swiftSettings: settings),
        .testTarget(
            name: "ConvertSQLiteStoresTests",
            dependencies: [
                "ConvertStoreProbe", "ConvertTestServer", "ConvertSQLiteStores", "ConvertSwiftSDK",
                "ConvertMobileRules",
                "ConvertSwiftSDKCore", "ConvertECMAScript",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ConvertCommandLineTests", dependencies: ["convert-sdk", "ConvertTestServer"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

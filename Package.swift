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
        .executable(name: "convert-sdk", targets: ["convert-sdk"]),
        .executable(name: "convert-benchmarks", targets: ["convert-benchmarks"]),
    ],
    targets: [
        .target(
            name: "ConvertECMAScript", exclude: ["Unicode/Generator"], swiftSettings: settings),
        .target(name: "ConvertSwiftSDKCore", dependencies: ["ConvertECMAScript"], swiftSettings: settings),
        .target(
            name: "ConvertParityVectors", dependencies: ["ConvertSwiftSDKCore", "ConvertECMAScript"],
            swiftSettings: settings),
        .executableTarget(
            name: "convert-sdk", dependencies: ["ConvertParityVectors", "ConvertSwiftSDKCore", "ConvertECMAScript"],
            swiftSettings: settings),
        .executableTarget(
            name: "convert-benchmarks", dependencies: ["ConvertSwiftSDKCore", "ConvertECMAScript"],
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
        .testTarget(
            name: "ConvertCommandLineTests", dependencies: ["convert-sdk"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

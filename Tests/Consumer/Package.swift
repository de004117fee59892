// swift-tools-version: 6.2

import PackageDescription

// A program that uses ConvertSwiftSDK alone: a package of its own, of which `run` measures what it costs to build.
let package = Package(
    name: "consumer",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "convert-swift-sdk", path: "../..")],
    targets: [
        .executableTarget(
            name: "Consumer", dependencies: [.product(name: "ConvertSwiftSDK", package: "convert-swift-sdk")],
            swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")])
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2

import PackageDescription

// An app with tests for XCTest and a gate for its config, a package of its own. `run` tries both.
let package = Package(
    name: "adopter",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "convert-swift-sdk", path: "../..")],
    targets: [
        .target(name: "Shop", dependencies: [.product(name: "ConvertSwiftSDK", package: "convert-swift-sdk")]),
        .testTarget(
            name: "ShopTests",
            dependencies: ["Shop", .product(name: "ConvertTesting", package: "convert-swift-sdk")]),
    ],
    swiftLanguageModes: [.v6]
)

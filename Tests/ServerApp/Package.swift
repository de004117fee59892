// swift-tools-version: 6.1

import PackageDescription

// A server as an app builds one: a package of its own that takes the SDK by path. `run` builds it and puts it under load.
let package = Package(
    name: "server-app",
    platforms: [.macOS(.v15)],
    dependencies: [
        // With a name, since the checkout's folder may have any.
        .package(name: "convert-swift-sdk", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .executableTarget(
            name: "ShopServer",
            dependencies: [
                .product(name: "ConvertSwiftSDK", package: "convert-swift-sdk"),
                .product(name: "ConvertSQLiteStores", package: "convert-swift-sdk"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .executableTarget(
            name: "FakeEndpoint",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

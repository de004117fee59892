// swift-tools-version: 6.2

import PackageDescription

// A server as an app builds one: a package of its own that takes the SDK by path. `run` builds it and puts it under
// load.
let package = Package(
    name: "server-app",
    platforms: [.macOS(.v15)],
    traits: [.trait(name: "Postgres", description: "Lets ShopServer keep visitors and events in PostgreSQL.")],
    dependencies: [
        // With a name, since the checkout's folder may have any.
        .package(
            name: "convert-swift-sdk", path: "../..",
            traits: [.trait(name: "Postgres", condition: .when(traits: ["Postgres"]))]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.5.1"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    ],
    targets: [
        // Declarations of swift-open-feature, which has no tagged release to depend on.
        .target(
            name: "OpenFeature",
            dependencies: [.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")],
            path: "Sources/OpenFeatureStandIn",
            swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]),
        // What connects the SDK with the packages that servers use, a file each.
        .target(
            name: "Bridges",
            dependencies: [
                "OpenFeature",
                .product(name: "ConvertRemoteEvaluation", package: "convert-swift-sdk"),
                .product(name: "ConvertMonitoring", package: "convert-swift-sdk"),
                .product(name: "ConvertSwiftSDK", package: "convert-swift-sdk"),
                .product(name: "ConvertTransport", package: "convert-swift-sdk"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]),
        .executableTarget(
            name: "BridgeCheck",
            dependencies: [
                "Bridges", "OpenFeature",
                .product(name: "ConvertMonitoring", package: "convert-swift-sdk"),
                .product(name: "ConvertSwiftSDK", package: "convert-swift-sdk"),
                .product(name: "ConvertTesting", package: "convert-swift-sdk"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .executableTarget(
            name: "TransportPeer",
            dependencies: [
                "Bridges",
                .product(name: "ConvertTransport", package: "convert-swift-sdk"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ]),
        .executableTarget(
            name: "QuickServer",
            dependencies: [
                .product(name: "ConvertSwiftSDK", package: "convert-swift-sdk"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ]),
        .executableTarget(
            name: "CookieServer",
            dependencies: [
                .product(name: "ConvertSwiftSDK", package: "convert-swift-sdk"),
                .product(name: "ConvertSQLiteStores", package: "convert-swift-sdk"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ]),
        .executableTarget(
            name: "ShopServer",
            dependencies: [
                "Bridges",
                .product(name: "ConvertLedgers", package: "convert-swift-sdk"),
                .product(name: "ConvertMonitoring", package: "convert-swift-sdk"),
                .product(name: "ConvertSwiftSDK", package: "convert-swift-sdk"),
                .product(name: "ConvertSwiftSDKCore", package: "convert-swift-sdk"),
                .product(name: "ConvertSQLiteStores", package: "convert-swift-sdk"),
                .product(
                    name: "ConvertPostgresStores", package: "convert-swift-sdk",
                    condition: .when(traits: ["Postgres"])),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .executableTarget(
            name: "EdgeServer",
            dependencies: [
                "Bridges",
                .product(name: "ConvertRemoteEvaluation", package: "convert-swift-sdk"),
                .product(name: "ConvertLedgers", package: "convert-swift-sdk"),
                .product(name: "ConvertSwiftSDK", package: "convert-swift-sdk"),
                .product(name: "ConvertSQLiteStores", package: "convert-swift-sdk"),
                .product(
                    name: "ConvertPostgresStores", package: "convert-swift-sdk",
                    condition: .when(traits: ["Postgres"])),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
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

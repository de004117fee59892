// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "cookie-server",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(path: "../convert-swift-sdk"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "CookieServer",
            dependencies: [
                .product(name: "ConvertSwiftSDK", package: "convert-swift-sdk"),
                .product(name: "ConvertSQLiteStores", package: "convert-swift-sdk"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ])
    ]
)

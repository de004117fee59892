// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "shop",
    platforms: [.macOS(.v15)],
    dependencies: [.package(path: "../convert-swift-sdk")],
    targets: [
        .executableTarget(
            name: "Shop", dependencies: [.product(name: "ConvertSwiftSDK", package: "convert-swift-sdk")]),
        .testTarget(
            name: "ShopTests",
            dependencies: ["Shop", .product(name: "ConvertTesting", package: "convert-swift-sdk")]),
    ]
)

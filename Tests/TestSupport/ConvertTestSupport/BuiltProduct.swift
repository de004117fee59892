package import Foundation

/// Executables of this package, as they were built with the tests.
package enum BuiltProduct {
    /// The executable of that name, which the test target has to depend on.
    package static func executable(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// The folder that holds what was built, found beside the test bundle.
    private static var folder: URL {
        #if canImport(Darwin)
        for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
            return bundle.bundleURL.deletingLastPathComponent()
        }
        #endif
        return Bundle.main.bundleURL
    }
}

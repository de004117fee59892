/// The version of this package.
package enum PackageVersion {
    package static let current = "0.1.0"
}

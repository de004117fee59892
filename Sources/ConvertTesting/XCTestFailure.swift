#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Reports failures to tests that XCTest runs.
///
/// A library cannot import XCTest everywhere: on Apple's systems, XCTest is available only when test targets are built,
/// and a program that links XCTest needs it at run time. `XCTFail` is therefore looked up in the process.
enum XCTestFailure {
    /// The type of `XCTFail(_:file:line:)`: a Swift function without a context.
    private typealias Fail = @convention(thin) (String, StaticString, UInt) -> Void

    /// `XCTFail(_:file:line:)` by its mangled name, which is part of XCTest's stable interface and includes the
    /// function's type; `nil` in a process without XCTest. The address never changes.
    private nonisolated(unsafe) static let address: UnsafeMutableRawPointer? = {
        #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
        unsafe dlopen(nil, RTLD_LAZY).flatMap {
            unsafe dlsym($0, "$s6XCTest7XCTFail_4file4lineySS_s12StaticStringVSutF")
        }
        #else
        nil
        #endif
    }()

    /// Fails the test case that XCTest is running, if there is one. Returns whether XCTest is available.
    @discardableResult
    static func record(_ text: String, at place: SourcePlace?) -> Bool {
        guard let address = unsafe address else { return false }
        let fail = unsafe unsafeBitCast(address, to: Fail.self)
        fail(text, place?.filePath ?? #filePath, place.map { UInt(clamping: $0.line) } ?? #line)
        return true
    }
}

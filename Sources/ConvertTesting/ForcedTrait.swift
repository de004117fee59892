// Toolchains for devices may lack Swift Testing. If a toolchain has it, a program that links this module needs Swift
// Testing at run time. Therefore only test targets should depend on this product.
#if canImport(Testing)
public import Testing

/// Forces answers while a test runs; see ``Testing/Trait/forced(_:)``.
public struct ForcedTrait: TestTrait, SuiteTrait, TestScoping {
    let forcings: [Forcing]

    /// `true`: the trait of a suite also applies to each of its tests.
    public var isRecursive: Bool { true }

    /// Runs the test with the forced answers.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withForced(forcings, function)
    }
}

extension Trait where Self == ForcedTrait {
    /// Forces answers while the test, or every test of the suite, runs. See ``Forcing`` for their precedence.
    ///
    ///     @Test(.forced(.force("checkout", "green"), .enable("express-pay")))
    ///     func greenCheckoutSellsExpress() async throws { … }
    public static func forced(_ forcings: Forcing...) -> ForcedTrait { ForcedTrait(forcings: forcings) }
}
#endif

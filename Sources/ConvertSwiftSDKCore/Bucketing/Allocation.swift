internal import ConvertECMAScript

/// The weight of an arm in a bucketing layout, from the variation's `traffic_allocation` in percent.
///
/// The reference compares and multiplies the raw config value. `undefined` and text that is not a number therefore mean
/// that the allocation is missing, so the arm takes all visitors. `null`, `0`, `""` and negative values mean that the
/// arm takes no visitors.
package struct Allocation: Sendable, Hashable {
    /// The percentage; NaN for text that is not a number.
    package let weight: Double

    /// Whether the arm takes visitors: it is running, and its weight is positive or NaN.
    package let isActive: Bool

    init(_ percentage: JSValue?, isRunning: Bool) {
        let number = ECMAScript.toNumber(percentage)
        isActive = isRunning && (number > 0 || number.isNaN)
        // Only a missing allocation becomes 100 here. Text that is not a number stays NaN, and each layout handles it.
        weight = percentage == nil ? 100 : number
    }
}

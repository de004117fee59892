internal import ConvertECMAScript

/// What an arm's `traffic_allocation`, in percent, weighs in a layout.
///
/// The reference compares and multiplies the wire's value as it stands: `undefined` and text that is no number count as
/// no allocation at all, which means everybody, while `null`, `0`, `""` and negative ones mean nobody.
package struct Allocation: Sendable, Hashable {
    /// The percentage; not a number for text that is none.
    package let weight: Double

    /// Whether the arm takes visitors: it runs, and its weight is positive or no number.
    package let isActive: Bool

    init(_ percentage: JSValue?, isRunning: Bool) {
        let number = ECMAScript.toNumber(percentage)
        isActive = isRunning && (number > 0 || number.isNaN)
        // Only an absent allocation becomes everybody here; text that is no number stays one for the layouts to read.
        weight = percentage == nil ? 100 : number
    }
}

/// The clock and the source of randomness that the SDK's parts share.
package struct Surroundings: Sendable {
    /// The clock.
    package let time: any TimeSource
    /// Creates a random number generator for one component.
    package let makeGenerator: @Sendable () -> any RandomNumberGenerator & Sendable

    /// Creates an instance. The defaults use the operating system.
    package init(
        time: any TimeSource = SystemTime(),
        makeGenerator: @escaping @Sendable () -> any RandomNumberGenerator & Sendable = {
            SystemRandomNumberGenerator()
        }
    ) {
        self.time = time
        self.makeGenerator = makeGenerator
    }
}

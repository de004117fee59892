/// The clock and the source of randomness that the SDK's parts share.
package struct Surroundings: Sendable {
    /// The clock.
    package let time: any TimeSource
    /// Makes a generator for one part.
    package let makeGenerator: @Sendable () -> any RandomNumberGenerator & Sendable

    /// Surroundings; those of the operating system unless said otherwise.
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

/// The limits of a JSON document. A document beyond them is rejected early, with a typed error.
package struct JSONLimits: Sendable {
    /// The nesting depth of containers. Reading, comparing and releasing a value of this depth works on a small
    /// thread's stack (128 KB).
    package var depth = 512

    /// The number of values; containers and their contents all count. A value takes 16 bytes while the document lives,
    /// and up to 32 after the memory has grown. A config of 1,000 experiences has 64,000 values.
    package var values = 4_000_000

    /// The number of distinct member names. A name takes about 100 bytes, and up to 200 after the memory has grown. A
    /// config of 1,000 experiences has about 50 names.
    package var names = 500_000

    /// The length of the document, in bytes.
    package var length = 200_000_000

    /// Creates limits that no plausible config or rules document reaches.
    package init() {}
}

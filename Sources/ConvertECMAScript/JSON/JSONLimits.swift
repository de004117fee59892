/// What a JSON document may need. Whatever needs more is refused with a typed error before it costs more.
package struct JSONLimits: Sendable {
    /// How many containers may stand in one another. Reading, comparing and releasing a value of this depth needs less than
    /// a small thread's stack (128 KB).
    package var depth = 512

    /// How many values there may be, containers and their contents counted alike. Each takes 16 bytes while the document
    /// lives, twice that where the room for them has just grown. A config of 1,000 experiences has 64,000.
    package var values = 4_000_000

    /// How many different names members may have. Each takes some 100 bytes, twice that where the room for them has just
    /// grown. A config of 1,000 experiences has some 50.
    package var names = 500_000

    /// How long the document may be, in bytes.
    package var length = 200_000_000

    /// Limits beyond those of any plausible config or rules document.
    package init() {}
}

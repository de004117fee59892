internal import ConvertECMAScript

/// Computes bucket values and variations by hashing, so that all processes decide alike without communicating.
///
/// Stateless; safe to share between threads.
package struct BucketingManager: Sendable {
    package let options: BucketingOptions

    package init(options: BucketingOptions = BucketingOptions()) { self.options = options }

    /// Returns the bucket value of a visitor in an experience.
    ///
    /// The value is MurmurHash3 x86-32 over the UTF-8 of the experience id followed by the visitor id, scaled to the
    /// configured range. The call takes time linear to the length of both ids.
    ///
    /// - Returns: a value in `0 ..< maxTraffic`.
    package func bucketValue(visitorID: String, experienceID: String) -> Int {
        bucketValue(visitorID: visitorID, continuing: hash(experienceID: experienceID))
    }

    /// Returns the index of the variation whose range contains `value`: the first one if ranges overlap, or `nil` if no
    /// range contains it.
    @inline(__always)
    static func variation(
        for value: Double, among ranges: Borrowed<BucketLayout.Range>, _ layout: BucketLayoutKind
    ) -> Int? {
        // Searches backwards and without an early exit, because the processor would mispredict that branch half of the
        // time (W2).
        var found: Int?
        for range in ranges.reversed() where layout.gives(value, to: range) { found = range.variation }
        return found
    }

    /// The hash after feeding the experience id. A project computes it once per experience.
    package func hash(experienceID: String) -> MurmurHash3 {
        var hash = MurmurHash3(seed: options.hashSeed)
        if !options.excludesExperienceID { hash.combine(experienceID) }
        return hash
    }

    /// Returns a visitor's bucket value by continuing the experience's part of the hash. The hash is scaled like the
    /// reference's `parseInt(String(hash / 2^32 * max))`.
    package func bucketValue(visitorID: String, continuing hash: MurmurHash3) -> Int {
        var hash = hash
        hash.combine(visitorID)
        let value = Double(hash.finalize()) / 4_294_967_296 * options.maxTraffic
        // Between these bounds JavaScript prints a number without an exponent, so `parseInt` only cuts off the
        // fraction.
        return value >= 1e-6 && value < 1e15 ? Int(value) : parse(value)
    }

    @inline(never)
    private func parse(_ value: Double) -> Int {
        let parsed = ECMAScript.parseInt(ECMAScript.toString(value))
        // A value that does not fit into an integer lies outside of every arm.
        return Int(exactly: parsed) ?? .max
    }
}

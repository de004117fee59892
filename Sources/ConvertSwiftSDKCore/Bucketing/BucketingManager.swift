internal import ConvertECMAScript

/// Assigns bucket values and variations by hash, so that every process decides alike without asking another.
///
/// Stateless; safe to share between threads.
package struct BucketingManager: Sendable {
    /// How visitors are hashed.
    package let options: BucketingOptions

    /// A manager with `options`.
    package init(options: BucketingOptions = BucketingOptions()) { self.options = options }

    /// The bucket value of a visitor in an experience.
    ///
    /// MurmurHash3 x86-32 over the UTF-8 of the experience's id and the visitor's, scaled to the configured range.
    /// - Parameters:
    ///   - visitorID: the visitor's id.
    ///   - experienceID: the experience's id.
    /// - Returns: a value in `0 ..< maxTraffic`. It takes time linear to the length of both ids.
    package func bucketValue(visitorID: String, experienceID: String) -> Int {
        bucketValue(visitorID: visitorID, continuing: hash(experienceID: experienceID))
    }

    /// Index of the variation that owns `value`, the first one if ranges overlap, or `nil` if none does.
    @inline(__always)
    static func variation(
        for value: Double, among ranges: UnsafeBufferPointer<BucketLayout.Range>, _ layout: BucketLayoutKind
    ) -> Int? {
        // From the last to the first one and without a way out, which would be guessed wrong half of the time (W2).
        var found: Int?
        for range in ranges.reversed() where layout.gives(value, to: range) { found = range.variation }
        return found
    }

    /// The hash with the experience's part fed: computed once per experience.
    package func hash(experienceID: String) -> MurmurHash3 {
        var hash = MurmurHash3(seed: options.hashSeed)
        if !options.excludesExperienceID { hash.combine(experienceID) }
        return hash
    }

    /// The bucket value of a visitor, from the experience's part of the hash.
    package func bucketValue(visitorID: String, continuing hash: MurmurHash3) -> Int {
        bucketValue(of: self.hash(visitorID: visitorID, continuing: hash))
    }

    /// The hash of a visitor in an experience, from the experience's part of it.
    @inline(__always)
    func hash(visitorID: String, continuing hash: MurmurHash3) -> UInt32 {
        var hash = hash
        hash.combine(visitorID)
        return hash.finalize()
    }

    /// The bucket value that a hash is scaled to: the reference's `parseInt(String(hash / 2^32 * max))`.
    @inline(__always)
    func bucketValue(of hash: UInt32) -> Int {
        let value = Double(hash) / 4_294_967_296 * options.maxTraffic
        // Between these bounds a number is written without an exponent, so that parseInt cuts the fraction off.
        return value >= 1e-6 && value < 1e15 ? Int(value) : parse(value)
    }

    @inline(never)
    private func parse(_ value: Double) -> Int {
        let parsed = ECMAScript.parseInt(ECMAScript.toString(value))
        // What no integer holds lies outside of every arm.
        return Int(exactly: parsed) ?? .max
    }
}

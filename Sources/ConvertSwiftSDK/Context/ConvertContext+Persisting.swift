import ConvertConcurrency
public import ConvertSwiftSDKCore

/// Waiting until a context's changes are stored.
extension ConvertContext {
    /// Waits until everything that the context did so far is stored in the ledger: decisions, segments, goals, and the
    /// events that report them. From then on they survive the end of the process.
    ///
    ///     let decision = context.decide("checkout")
    ///     try await context.persisted()
    ///     return render(decision)
    ///
    /// Returns at once without a ledger. With a ledger on the same machine it takes about half a millisecond.
    /// - Parameter timeout: how long to wait, at most.
    /// - Throws: ``ConvertError``:
    ///   - `notStored` if something is not stored in time or the task is cancelled, with the reason if the ledger
    ///     fails. It is still stored once the ledger works again.
    ///   - `refused` if the queue had no room for the change of a decision, new segments or a deferred conversion.
    ///     If the ledger has failed for longer than ``SDKConfiguration/ledgerPatience``, this holds for every change. A
    ///     refused change is never stored, and each later call throws too. A conversion with the outcome `refused` does
    ///     not count here.
    public func persisted(within timeout: Duration = .seconds(5)) async throws(ConvertError) {
        guard let writer = engine.writer else { return }
        let deadline = engine.time.now + timeout
        if !PlantedFault.isPlanted("persisted-skips-what-is-deferred") {
            await waitUntilLoaded(atMost: timeout)
            try await waitForConversions(until: deadline)
        }
        let (record, isUnstored) = state.withLock { ($0.state.record, $0.state.isUnstored) }
        if state.withLock({ $0.state.waiting?.requests.segments(whilePreviewing: false) != nil }) {
            throw ConvertError(
                code: .notStored,
                message: "the visitor's segments are stored only once there is a config; wait for ready().")
        }
        if isUnstored {
            throw ConvertError(
                code: .refused,
                message:
                    "the queue for the ledger had no room for something that the context did, so it is never stored. "
                    + "Look at ledgerStatus, or raise queueCapacity.")
        }
        // Another context of the visitor may have stored what this one answered, so the record's ticket counts.
        try await writer.waitUntilStored(record?.ticket ?? 0, until: deadline)
    }

    /// Waits until no conversion of the context waits for the visitor's record.
    private func waitForConversions(until deadline: Duration) async throws(ConvertError) {
        while let end = state.withLock({ $0.state.record })?.conversionsEnd(where: { $0.context === self }) {
            if await end.wait(until: deadline, by: engine.time) { continue }
            throw ConvertError(
                code: .notStored,
                message:
                    "a conversion waits for the visitor's record, which the ledger has not returned yet; it counts and "
                    + "is stored once the record is loaded.")
        }
    }

    /// Decides like ``decide(_:exposure:forced:options:)``, and waits until the decision is stored, like
    /// ``persisted(within:)``.
    ///
    /// - Returns: the final decision: with a ledger that servers share, the first one that any of them stored.
    /// - Throws: ``ConvertError``, like ``persisted(within:)``. With `notStored` the decision was made nevertheless;
    ///   call `decide` again without waiting to get it.
    public func decide(
        _ key: some ConvertKey, exposure: Bool = true, forced: String? = nil,
        options: DecisionOptions = DecisionOptions(),
        persistedWithin timeout: Duration
    ) async throws(ConvertError) -> Decision {
        let decision = decide(key, exposure: exposure, forced: forced, options: options)
        try await persisted(within: timeout)
        if !exposure || decision.variation == nil || engine.writer == nil { return decision }
        return decide(key, exposure: false, forced: forced, options: options)
    }

    /// Tracks a conversion like ``trackConversion(_:options:)``, and waits until it is stored, like
    /// ``persisted(within:)``.
    ///
    /// - Returns: the conversion's outcome. With `refused`, or without a config, nothing was tracked.
    /// - Throws: ``ConvertError``, like ``persisted(within:)``. With `notStored` the conversion was tracked
    ///   nevertheless.
    @discardableResult
    public func trackConversion(
        _ goalKey: some ConvertKey, options: ConversionOptions = ConversionOptions(), persistedWithin timeout: Duration
    ) async throws(ConvertError) -> Conversion.Outcome {
        let outcome = trackConversion(goalKey, options: options)
        try await persisted(within: timeout)
        return outcome
    }
}

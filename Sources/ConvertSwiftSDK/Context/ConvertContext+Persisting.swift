import ConvertConcurrency
public import ConvertSwiftSDKCore

/// Waiting until what a context did is safe.
extension ConvertContext {
    /// Waits until everything that the context did so far is stored in the ledger: decisions, segments, goals, and the
    /// events that report them. From then on it survives the end of the process.
    ///
    ///     let decision = context.decide("checkout")
    ///     try await context.persisted()
    ///     return render(decision)
    ///
    /// Without a ledger it returns at once. With one in the same machine it takes about half a millisecond.
    /// - Parameter timeout: how long to wait.
    /// - Throws: ``ConvertError``, `notStored`, if it is not stored in time or the task is cancelled, with the reason
    ///   if the ledger fails: it is stored as soon as the ledger takes it. So does a context that did something for
    ///   which there was no room.
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
                message: "there is no config yet, with which the visitor's segments are stored; wait for ready().")
        }
        if isUnstored {
            throw ConvertError(
                code: .notStored,
                message:
                    "something that the context did found no room in the queue, because the ledger fails, and is not "
                    + "stored; check the ledger, or raise queueCapacity.")
        }
        // What the context was answered may be what another one of the visitor did.
        try await writer.waitUntilStored(record?.ticket ?? 0, until: deadline)
    }

    /// Returns once no conversion of the context waits for the visitor's record.
    private func waitForConversions(until deadline: Duration) async throws(ConvertError) {
        while let end = state.withLock({ $0.state.record })?.conversionsEnd(of: self) {
            if await end.wait(until: deadline, by: engine.time) { continue }
            throw ConvertError(
                code: .notStored,
                message:
                    "the ledger has not given the visitor's record yet, for which a conversion waits; it counts and is "
                    + "stored as soon as that is there.")
        }
    }

    /// Decides as ``decide(_:exposure:forced:options:)`` does, and waits until the decision is stored as by
    /// ``persisted(within:)``.
    ///
    /// - Returns: the decision that holds: with a ledger that servers share, the first one that any of them stored.
    /// - Throws: ``ConvertError``, as ``persisted(within:)`` does. The decision was made all the same: ask again
    ///   without waiting.
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

    /// Tracks a conversion as ``trackConversion(_:options:)`` does, and waits until it is stored as by
    /// ``persisted(within:)``.
    ///
    /// - Returns: what came of it.
    /// - Throws: ``ConvertError``, as ``persisted(within:)`` does. The conversion was tracked all the same.
    @discardableResult
    public func trackConversion(
        _ goalKey: some ConvertKey, options: ConversionOptions = ConversionOptions(), persistedWithin timeout: Duration
    ) async throws(ConvertError) -> Conversion.Outcome {
        let outcome = trackConversion(goalKey, options: options)
        try await persisted(within: timeout)
        return outcome
    }
}

/// Batches elements that arrive close together: elements that arrive during a round, and shortly after it, go into the
/// next round.
///
/// Waking a thread costs the caller more than most of its other work. With batches, only the first of many elements
/// pays for it.
@usableFromInline
package final class Rounds<Element: Sendable>: Sendable {
    @usableFromInline
    struct State {
        @usableFromInline var waiting: [Element] = []
        /// Whether rounds are running.
        @usableFromInline var isAwake = false

        @usableFromInline init() {}
    }

    /// The number of empty rounds after which rounds stop until the next element.
    private static var patience: Int { 3 }

    private let pause: Duration
    private let time: any TimeSource
    @usableFromInline let state = Mutex(State())

    /// Creates rounds that begin immediately, or `pause` after the previous one.
    package init(every pause: Duration, by time: any TimeSource) {
        self.pause = pause
        self.time = time
    }

    /// Adds `element` to the next round, in order. All calls must pass the same `body`.
    @inlinable
    package func add(_ element: Element, _ body: @escaping @Sendable ([Element]) -> Void) {
        let isAsleep = state.withLock { state in
            defer { state.isAwake = true }
            state.waiting.append(element)
            return !state.isAwake
        }
        if isAsleep { begin(body) }
    }

    @usableFromInline
    func begin(_ body: @escaping @Sendable ([Element]) -> Void) {
        Task { [self] in
            var idleCount = 0
            while let round = next(orEnd: idleCount == Self.patience) {
                idleCount = round.isEmpty ? idleCount + 1 : 0
                if !round.isEmpty { body(round) }
                await time.rest(for: pause)
            }
        }
    }

    /// The waiting elements; `nil` if no element waits and the rounds `mayEnd`.
    private func next(orEnd mayEnd: Bool) -> [Element]? {
        state.withLock { state in
            if mayEnd && state.waiting.isEmpty {
                state.isAwake = false
                return nil
            }
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}

/// Hands on in rounds what comes one by one: what comes during a round, and for a moment after it, goes with the next one.
///
/// To wake a thread costs the one that does so more than most of its other work. Here the first of many pays for it.
@usableFromInline
package final class Rounds<Element: Sendable>: Sendable {
    @usableFromInline
    struct State {
        @usableFromInline var waiting: [Element] = []
        /// Whether rounds are under way.
        @usableFromInline var isAwake = false

        @usableFromInline init() {}
    }

    /// Rounds without anything, after which they end until something comes.
    private static var patience: Int { 3 }

    private let pause: Duration
    private let time: any TimeSource
    @usableFromInline let state = Mutex(State())

    /// Rounds that begin at once, or `pause` after the one before.
    package init(every pause: Duration, by time: any TimeSource) {
        self.pause = pause
        self.time = time
    }

    /// Adds `element` to those that `body` receives next, in order. All calls must bring the same `body`.
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

    /// What waits; `nil` if it is nothing and the rounds `mayEnd`.
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

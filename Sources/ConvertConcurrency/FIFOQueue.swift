/// A queue that releases its elements when they are removed.
///
/// An `ArraySlice` would retain all elements removed from its front until it has to grow.
@usableFromInline
package struct FIFOQueue<Element> {
    @usableFromInline var places: [Element?] = []
    /// The number of places at the front whose elements were removed.
    @usableFromInline var taken = 0

    /// Creates an empty queue.
    @inlinable package init() {}

    /// The number of elements.
    @inlinable package var count: Int { places.count - taken }

    /// Whether the queue has no elements.
    @inlinable package var isEmpty: Bool { count == 0 }

    /// The elements, the oldest first.
    @inlinable package var elements: [Element] { places.compactMap { $0 } }

    /// The oldest element, or `nil` if the queue is empty.
    @inlinable package var first: Element? { taken < places.count ? places[taken] : nil }

    /// Whether `predicate` returns `true` for any element.
    @inlinable package func contains(where predicate: (Element) -> Bool) -> Bool {
        places[taken...].contains { $0.map(predicate) ?? false }
    }

    /// Changes up to `count` of the oldest elements in place, and returns them.
    package mutating func updatePrefix(_ count: Int, _ body: (inout Element) -> Void) -> [Element] {
        var prefix: [Element] = []
        for place in places.indices.dropFirst(taken).prefix(count) {
            guard var element = places[place].take() else { continue }
            body(&element)
            places[place] = element
            prefix.append(element)
        }
        return prefix
    }

    /// Adds `element` as the newest.
    @inlinable package mutating func append(_ element: Element) { places.append(element) }

    /// Removes and returns the oldest element; `nil` if the queue is empty. Takes constant time on average.
    @inlinable package mutating func popFirst() -> Element? {
        guard taken < places.count else { return nil }
        let element = places[taken].take()
        Invariant.check(element != nil, "an element is taken once")
        taken += 1
        if taken > places.count / 2 {
            places.removeFirst(taken)
            taken = 0
        }
        return element
    }
}

extension FIFOQueue: Sendable where Element: Sendable {}

/// A queue that lets go of its elements when they are taken out.
///
/// An `ArraySlice` holds on to what was taken from its front until it has to grow, however much that is.
@usableFromInline
package struct FIFOQueue<Element> {
    @usableFromInline var places: [Element?] = []
    /// Places at the front whose elements were taken out.
    @usableFromInline var taken = 0

    /// An empty queue.
    @inlinable package init() {}

    /// Number of elements.
    @inlinable package var count: Int { places.count - taken }

    /// Whether there is no element.
    @inlinable package var isEmpty: Bool { count == 0 }

    /// The elements, the oldest first.
    @inlinable package var elements: [Element] { places.compactMap { $0 } }

    /// The oldest element, or `nil` if there is none.
    @inlinable package var first: Element? { taken < places.count ? places[taken] : nil }

    /// Whether `predicate` holds for an element.
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

    /// Takes the oldest element out; `nil` if there is none. Takes constant time on average.
    @inlinable package mutating func popFirst() -> Element? {
        guard taken < places.count else { return nil }
        let element = places[taken].take()
        taken += 1
        if taken > places.count / 2 {
            places.removeFirst(taken)
            taken = 0
        }
        return element
    }
}

extension FIFOQueue: Sendable where Element: Sendable {}

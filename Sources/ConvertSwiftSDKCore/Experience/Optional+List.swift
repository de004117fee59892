/// Lists that are mostly empty are optional where decisions hold them: of `nil` no references are counted (W1, W6).
extension Optional {
    /// Appends `element` to the list, which is made if there is none.
    mutating func append<Element>(_ element: Element) where Wrapped == [Element] {
        // Taken out, so that nothing else holds the list and appending copies nothing.
        var list = take() ?? []
        // Who has one often has a second one: a decision that is stored is reported, too.
        if list.isEmpty { list.reserveCapacity(2) }
        list.append(element)
        self = list
    }

    /// Appends `elements` to the list, which is made if there is none and there are some.
    mutating func append<Element>(contentsOf elements: [Element]) where Wrapped == [Element] {
        guard var list = take() else {
            if !elements.isEmpty { self = elements }
            return
        }
        list += elements
        self = list
    }
}

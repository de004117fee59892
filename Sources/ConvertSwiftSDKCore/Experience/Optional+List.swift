// A list that is mostly empty is optional where decisions hold it: of `nil` no references are counted (W1, W6).
extension Optional {
    /// Appends `elements` to the list, which is made if there is none.
    mutating func append<Element>(contentsOf elements: [Element]) where Wrapped == [Element] {
        // Taken out, so that nothing else holds the list and appending copies nothing.
        var list = take() ?? []
        list += elements
        self = list
    }
}

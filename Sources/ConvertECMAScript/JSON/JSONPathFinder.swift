/// Finds the JSON paths of values. If values are passed in document order, the total time is linear to the document.
package struct JSONPathFinder {
    private struct Step {
        let container: Int
        /// The node number of the value on the path, and its index in the container.
        var child: Int
        var place: Int
    }

    private var steps: [Step] = []

    package init() {}

    /// The path of `cursor`, such as `$.audiences[3].rules`.
    package mutating func path(of cursor: JSONCursor) -> String {
        let storage = cursor.storage
        while let last = steps.last,
            last.child > cursor.index || last.container + storage.node(last.container).span <= cursor.index
        {
            steps.removeLast()
        }
        if steps.isEmpty, cursor.index > 0 { steps.append(Step(container: 0, child: 1, place: 0)) }
        while var step = steps.popLast() {
            while step.child + storage.node(step.child).span <= cursor.index {
                step.child += storage.node(step.child).span
                step.place += 1
            }
            steps.append(step)
            if step.child == cursor.index { break }
            steps.append(Step(container: step.child, child: step.child + 1, place: 0))
        }
        return steps.reduce(into: "$") { path, step in
            let child = JSONCursor(storage: storage, index: step.child)
            path += child.name.map { Self.spelling(of: $0.name) } ?? "[\(step.place)]"
        }
    }

    /// `.name`, or `["a name"]` for a name whose end would otherwise be unclear.
    private static func spelling(of name: String) -> String {
        func isPlain(_ scalar: Unicode.Scalar) -> Bool {
            scalar == "_" || scalar == "-" || scalar == "$" || scalar.properties.isAlphabetic
                || scalar.properties.numericType == .decimal
        }
        let excerpt = name.excerpt()
        if !name.isEmpty, excerpt.unicodeScalars.allSatisfy({ isPlain($0) || $0 == "…" }) { return "." + excerpt }
        return "[" + ECMAScript.jsonText(of: .string(excerpt)) + "]"
    }
}

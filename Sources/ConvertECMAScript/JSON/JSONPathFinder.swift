/// Spells the JSON paths of values. Values asked for in document order take time linear to the document altogether.
package struct JSONPathFinder {
    private struct Step {
        let container: Int
        /// Number of the node of the value in the container on the way, and its place there.
        var child: Int
        var place: Int
    }

    /// Names are cut, because the document decides on their length.
    private static let nameLength = 40

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
            if let name = child.name {
                path += ".\(String(String.UnicodeScalarView(name.name.unicodeScalars.prefix(Self.nameLength))))"
            } else {
                path += "[\(step.place)]"
            }
        }
    }
}

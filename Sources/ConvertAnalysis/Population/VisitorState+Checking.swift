package import ConvertECMAScript
package import ConvertSwiftSDKCore

extension VisitorState {
    /// Reads a record that a person may have written. A member that records do not have is refused, because a
    /// misspelled one would be lost silently, and so is one of another type.
    package init(checking record: JSObject) throws(PopulationVisitorError) {
        let names = ["bucketing", "segments", "goals", "locations"]
        for member in record where !member.value.isNull {
            let name = member.key.name
            guard names.contains(name) else { throw .unknownMember(name, in: "$.stored", among: names) }
            let isList = name == "locations"
            guard isList ? member.value.arrayValue != nil : member.value.objectValue != nil else {
                throw PopulationVisitorError(
                    code: .wrongType, path: "$.stored.\(name)",
                    message: "expected \(isList ? "a list" : "an object"); found another value.")
            }
        }
        self.init(record: record)
    }
}

package import ConvertECMAScript
package import ConvertSwiftSDKCore

extension VisitorState {
    /// Reads a record that may be written by hand. An unknown member is an error, so that a misspelled one is not lost
    /// silently. A member of the wrong type is an error too.
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

package import ConvertECMAScript
import ConvertMonitoring
package import ConvertSwiftSDKCore

/// The parts of a config that a decision log needs, and the properties of visitors that it writes.
final class LoggedConfig: Sendable {
    let revision: ConfigRevision?
    let environment: String
    let options: CompilationOptions
    private let redaction: Redaction
    /// The properties to write, in lowercase; `nil` means all.
    private let wanted: Set<PropertyKey>?

    init(_ config: ProjectConfig, _ revision: ConfigRevision?, _ configuration: SDKConfiguration, _ log: DecisionLog) {
        self.revision = revision
        environment = configuration.environment
        options = configuration.compilation
        redaction = Redaction(log.redactedProperties)
        wanted = log.includesUnreadProperties ? nil : config.namesInRules
    }

    /// The properties that are written, of `properties`.
    func visible(_ properties: JSObject, withholding withheld: inout WithheldNames) -> JSObject {
        guard let wanted else { return redaction.applied(to: properties, withholding: &withheld) }
        var read = JSObject()
        for member in properties where wanted.contains(member.key.lowercase) { read[member.key] = member.value }
        return redaction.applied(to: read, withholding: &withheld)
    }
}

extension ProjectConfig {
    /// The names of all properties that decisions may read, in lowercase.
    fileprivate var namesInRules: Set<PropertyKey> {
        // `name`, because the JavaScript SDK takes attributes with that member for an object of rule data; and the
        // stored segment that experiences read.
        var names: Set<PropertyKey> = ["name", "customsegments"]
        let trees = audiences.compactMap(\.rules) + locations.compactMap(\.rules) + experiences.compactMap(\.siteArea)
        for tree in trees { names.formUnion(tree.propertyNames) }
        return names
    }
}

extension RuleTree {
    /// The names of the properties that the leaves may read, in lowercase: their keys, and their types, which stand for
    /// missing keys.
    package var propertyNames: Set<PropertyKey> {
        var names: Set<PropertyKey> = []
        for leaf in leaves {
            if let key = leaf.attribute { names.insert(key.lowercase) }
            if let type = leaf.ruleType { names.insert(PropertyKey(type).lowercase) }
        }
        return names
    }
}

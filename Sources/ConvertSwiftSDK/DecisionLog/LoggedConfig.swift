import ConvertECMAScript
import ConvertSwiftSDKCore

/// What a decision log says of a config, and which properties of visitors it writes.
final class LoggedConfig: Sendable {
    let revision: ConfigRevision?
    let environment: String
    let options: CompilationOptions
    private let redacted: Set<PropertyKey>
    /// The properties that are written, in lowercase; `nil` means all.
    private let wanted: Set<PropertyKey>?

    init(_ config: ProjectConfig, _ revision: ConfigRevision?, _ configuration: SDKConfiguration, _ log: DecisionLog) {
        self.revision = revision
        environment = configuration.environment
        options = configuration.compilation
        redacted = Set(log.redactedProperties.map { PropertyKey($0.lowercased()) })
        wanted = log.includesUnreadProperties ? nil : config.namesInRules
    }

    /// The properties that are written, of those that there are, and the names of those that are left out because of their
    /// values.
    func visible(_ properties: JSObject, withholding withheld: inout [String]) -> JSObject {
        if redacted.isEmpty && wanted == nil { return properties }
        var visible = JSObject()
        for member in properties {
            let name = PropertyKey(member.key.name.lowercased())
            if let wanted, !wanted.contains(name) { continue }
            if redacted.contains(name) {
                withheld.append(member.key.name)
            } else {
                visible[member.key] = member.value
            }
        }
        return visible
    }
}

extension ProjectConfig {
    /// The names of all properties that decisions may read, in lowercase.
    fileprivate var namesInRules: Set<PropertyKey> {
        // The one that makes attributes pass for an object of rule data, and the stored segment that experiences ask for.
        var names: Set<PropertyKey> = ["name", "customsegments"]
        let trees = audiences.compactMap(\.rules) + locations.compactMap(\.rules) + experiences.compactMap(\.siteArea)
        for tree in trees {
            for leaf in tree.blocks.lazy.flatMap({ $0?.clauses ?? [] }).flatMap({ $0?.leaves ?? [] }) {
                if let key = leaf?.key { names.insert(PropertyKey(key.lowercased())) }
                if let type = leaf?.ruleType { names.insert(PropertyKey(type.lowercased())) }
            }
        }
        return names
    }
}

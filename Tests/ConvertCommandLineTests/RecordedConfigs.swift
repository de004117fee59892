import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

/// The configs that stand in `TestVectors`, as files of their own and in recorded sessions.
enum RecordedConfigs {
    static func all() throws -> [(path: String, config: JSValue)] {
        var configs: [(String, JSValue)] = []
        for file in try Documentation.files(in: "TestVectors", named: ".json") {
            guard ["configs", "decisions", "workloads"].contains(file.deletingLastPathComponent().lastPathComponent)
            else { continue }
            collect(try JSValue(json: Data(contentsOf: file)), at: file.path, into: &configs)
        }
        return configs
    }

    private static func collect(_ value: JSValue, at path: String, into configs: inout [(String, JSValue)]) {
        if let object = value.objectValue {
            if object["account_id"] != nil, object["project"] != nil { return configs.append((path, value)) }
            for member in object { collect(member.value, at: path + "." + member.key.name, into: &configs) }
        } else {
            for (index, element) in (value.arrayValue ?? []).enumerated() {
                collect(element, at: "\(path)[\(index)]", into: &configs)
            }
        }
    }

    /// Members that may be of any type: a rule's value, and what nothing reads or only scripts in a page read.
    private static let free: Set<String> = [
        "value", "variables_data", "domains", "utc_offset", "integrations", "outliers", "production", "staging",
        "is_debug",
    ]

    /// Copies of `config` in each of which one member has a value of another type.
    static func mutations(of config: JSValue) -> [(path: String, config: JSValue)] {
        if let object = config.objectValue {
            return object.flatMap { member -> [(path: String, config: JSValue)] in
                let name = member.key.name
                // A change's id is not read.
                if free.contains(name) || name == "id" && object["data"] != nil { return [] }
                let stranger: JSValue = member.value.objectValue == nil ? ["stranger": 1] : true
                let parts = mutations(of: member.value).map { (path: "\(name).\($0.path)", value: $0.config) }
                return ([(path: name, value: stranger)] + parts).map { part in
                    var copy = object
                    copy[name] = part.value
                    return (part.path, .object(copy))
                }
            }
        }
        guard let elements = config.arrayValue else { return [] }
        return elements.indices.flatMap { index in
            mutations(of: elements[index]).map { part in
                var copy = elements
                copy[index] = part.config
                return ("[\(index)].\(part.path)", .array(copy))
            }
        }
    }
}

package import ConvertECMAScript

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension ProjectConfig {
    /// A config together with the JSON document that it was read from. The bytes are parsed once.
    package struct Document: Sendable {
        package let config: ProjectConfig
        package let root: JSValue
        /// For each change that sets a variable twice, the path and name of the first such variable. Only its last
        /// value counts.
        package let repeatedVariables: [(path: String, name: String)]

        /// Reads a config as ``ProjectConfig/init(json:)`` does.
        package init(json: Data) throws(ConfigError) {
            let document = try ConfigError.parsing(
                json, vocabulary: ConfigMember.vocabulary, remedy: "fetch or export it again")
            (config, root, repeatedVariables) = try document.withRoot { (root) throws(ConfigError) in
                (try ProjectConfig(root), root.value, Self.repeatedVariables(in: root))
            }
        }

        private static func repeatedVariables(in root: JSONCursor) -> [(path: String, name: String)] {
            var result: [(path: String, name: String)] = []
            func forEach(_ list: JSONCursor?, _ path: String, _ body: (JSONCursor, String) -> Void) {
                guard let list else { return }
                for (index, element) in list.elements.enumerated() { body(element, "\(path)[\(index)]") }
            }
            forEach(root[.experiences], "$.experiences") { experience, path in
                forEach(experience[.variations], path + ".variations") { variation, path in
                    forEach(variation[.changes], path + ".changes") { change, path in
                        guard let variables = change[.data]?["variables_data"], let name = variables.firstRepeatedName
                        else { return }
                        result.append(("\(path).data.variables_data.\(name.name.excerpt(200))", name.name))
                    }
                }
            }
            return result
        }
    }
}

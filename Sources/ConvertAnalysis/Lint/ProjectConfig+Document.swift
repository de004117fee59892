package import ConvertECMAScript
package import ConvertSwiftSDKCore

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
        /// For each object with a repeated name, the path and name of the first such member. Only the last one counts.
        package let repeatedMembers: [(path: String, name: String)]

        package init(json: Data) throws(ConfigError) {
            let document = try JSONDocument.config(json)
            config = try ProjectConfig(document)
            (root, repeatedMembers) = document.withRoot { ($0.value, Self.repeatedMembers(in: $0)) }
        }

        private static func repeatedMembers(in root: JSONCursor) -> [(path: String, name: String)] {
            var finder = JSONPathFinder()
            return root.descendants.compactMap { object in
                object.firstRepeatedName.map { ("\(finder.path(of: object)).\($0.name.excerpt(200))", $0.name) }
            }
        }
    }
}

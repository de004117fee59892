import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

/// Whom a command decides for, and where they are.
struct VisitorOption {
    static let names: Set<String> = ["--visitor", "--attribute", "--attributes", "--location", "--locations"]

    let id: String
    let attributes: JSObject
    let options: DecisionOptions

    init(_ arguments: Arguments) throws {
        id = try arguments.required("--visitor", "the visitor's id")
        guard !id.isEmpty else {
            throw UsageError("--visitor is empty; nothing is decided without a visitor's id")
        }
        attributes = try Self.properties("--attribute", "--attributes", arguments) ?? JSObject()
        var options = DecisionOptions()
        options.locationProperties = try Self.properties("--location", "--locations", arguments)
        options.environment = try arguments.single("--environment")
        self.options = options
    }

    /// Properties from `KEY=TEXT` options over those of a JSON option, or `nil` if neither was given.
    private static func properties(
        _ pairOption: String, _ jsonOption: String, _ arguments: Arguments
    ) throws -> JSObject? {
        var properties: JSObject?
        if let json = try arguments.single(jsonOption) {
            guard let object = (try? JSValue(json: Data(json.utf8)))?.objectValue else {
                throw UsageError("\(jsonOption) is no JSON object; give for example '{\"visits\": 12}'")
            }
            properties = object
        }
        for pair in arguments.all(pairOption) {
            guard let parts = pair.splitAtEqualsSign, !parts.name.isEmpty else {
                throw UsageError("\(pairOption) '\(pair)' is not of the form KEY=TEXT")
            }
            properties = properties ?? JSObject()
            properties?[parts.name] = .string(parts.value)
        }
        return properties
    }
}

import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import Foundation

/// The visitor of a command, with location and attributes.
struct VisitorOption {
    private static let visitor = OptionDeclaration(
        "--visitor", "v", .text("ID"), isRequired: true, "the visitor's id")
    private static let attribute = OptionDeclaration(
        "--attribute", "a", .text("KEY=TEXT"), isRepeatable: true, "an attribute of the visitor")
    private static let attributes = OptionDeclaration(
        "--attributes", nil, .fileOrJSON, "attributes of any type, as an object")
    private static let location = OptionDeclaration(
        "--location", "l", .text("KEY=TEXT"), isRepeatable: true, "a location property")
    private static let locations = OptionDeclaration(
        "--locations", nil, .fileOrJSON, "location properties of any type, as an object")
    private static let stored = OptionDeclaration(
        "--stored", nil, .fileOrJSON,
        #"what is stored of the visitor: {"bucketing": {…}, "segments": {…}, "goals": {…}, "locations": […]}"#)
    private static let force = OptionDeclaration(
        "--force", nil, Value(name: "EXP=VARIATION", candidates: .config { $0.variationNames(separator: "=") }),
        isRepeatable: true, "the variation that the visitor gets if the rules let them in, by keys or ids")
    private static let preview = OptionDeclaration(
        "--preview", nil, Value(name: "EXP.VARIATION", candidates: .config { $0.variationNames(separator: ".") }),
        "the variation that the visitor sees whatever the rules say, by keys or ids")

    static let declarations = [visitor, attribute, attributes, location, locations, stored, force, preview]

    private typealias Value = OptionDeclaration.Value

    private let id: String
    private let attributes: JSObject
    private let state: VisitorState
    private let forced: [String]
    private let preview: String?
    private let locations: JSObject?
    private let environment: String?

    init(_ arguments: Arguments) throws {
        id = try arguments.required(Self.visitor)
        guard !id.isEmpty else {
            throw UsageError("--visitor is empty; nothing is decided without a visitor's id")
        }
        attributes = try Self.properties(Self.attribute, Self.attributes, arguments) ?? JSObject()
        locations = try Self.properties(Self.location, Self.locations, arguments)
        environment = arguments.environment
        forced = arguments.all(Self.force)
        preview = arguments[Self.preview]
        guard let stored = arguments[Self.stored] else {
            state = VisitorState()
            return
        }
        guard let record = try InputFile.readValue(stored, for: Self.stored.name).objectValue else {
            throw UsageError(#"--stored is not a JSON object; give for example '{"bucketing": {"9": "91"}}'"#)
        }
        do {
            state = try VisitorState(checking: record)
        } catch {
            throw UsageError("--stored: \(error)")
        }
    }

    /// Creates the visitor, without the options for decisions.
    func visitor(of manager: ExperienceManager) -> Visitor {
        manager.visitor(id: id, attributes: attributes, state: state)
    }

    /// The options for each decision for the visitor. If a preview is requested, sets it for the visitor.
    func decisions(for visitor: inout Visitor, of manager: ExperienceManager) throws(UsageError) -> VisitorDecisions {
        var options = DecisionOptions()
        options.locationProperties = locations
        options.environment = environment
        let config = manager.project.config
        for warning in StoredNames(config).warnings(ofKeysIn: state) {
            Console.complain("warning: \(Self.stored.name): \(warning)")
        }
        let semantics = manager.project.options.semantics
        for attribute in config.unreadAttributes(among: attributes.map(\.key), under: semantics) {
            Console.complain("warning: \(attribute.message)")
        }
        var forcedIDs: [PropertyKey: String] = [:]
        for text in forced {
            let (experience, variation) = try config.variation(named: text, separator: "=", of: Self.force)
            forcedIDs[experience.id.key] = variation
        }
        if let preview {
            let (experience, variation) = try config.variation(named: preview, separator: ".", of: Self.preview)
            guard manager.setPreview(experienceID: experience.id.text, variationID: variation, for: &visitor) else {
                throw UsageError("\(Self.preview.name) '\(preview)' cannot be shown; its variation has no id")
            }
        }
        return VisitorDecisions(options: options, forcedIDs: forcedIDs)
    }

    /// The properties from `KEY=TEXT` options and from a JSON option; `nil` if neither was given.
    private static func properties(
        _ pairs: OptionDeclaration, _ object: OptionDeclaration, _ arguments: Arguments
    ) throws -> JSObject? {
        var properties: JSObject?
        if let text = arguments[object] {
            guard let members = try InputFile.readValue(text, for: object.name).objectValue else {
                throw UsageError("\(object.name) is not a JSON object; give for example '{\"visits\": 12}'")
            }
            properties = members
        }
        let given = properties
        for pair in arguments.all(pairs) {
            guard let parts = pair.splitAtEqualsSign, !parts.name.isEmpty else {
                throw UsageError("\(pairs.name) '\(pair)' is not of the form KEY=TEXT")
            }
            if given?[parts.name] != nil {
                throw UsageError(
                    "'\(parts.name.excerpt(80))' is given by \(pairs.name) and by \(object.name); give one of them")
            }
            properties = properties ?? JSObject()
            properties?[parts.name] = .string(parts.value)
        }
        return properties
    }
}

/// The options for each decision, from the command line.
struct VisitorDecisions {
    /// The options for experiences without a forced variation.
    let options: DecisionOptions
    /// The ids of forced variations, by the experience's id.
    fileprivate let forcedIDs: [PropertyKey: String]

    /// The options for the decision of an experience.
    func options(for experience: ProjectConfig.Experience?) -> DecisionOptions {
        var options = options
        options.forcedVariationID = experience.flatMap { forcedIDs[$0.id.key] }
        return options
    }

    /// Decides the experiences with a forced variation. It is stored for `visitor` if the rules let the visitor in.
    func makeForcedDecisions(for visitor: inout Visitor, by manager: ExperienceManager) {
        for experience in manager.project.config.experiences where forcedIDs[experience.id.key] != nil {
            _ = manager.selectVariation(id: experience.id.text, for: &visitor, options: options(for: experience))
        }
    }
}

extension ProjectConfig {
    /// The names of all variations, each after the name of its experience.
    fileprivate func variationNames(separator: String) -> [String] {
        experiences.flatMap { experience in
            let name = experience.key ?? experience.id.text
            return experience.variations.compactMap(\.keyOrID).map { name + separator + $0 }
        }
    }

    /// The experience and variation that `text` names by keys or ids, before and after `separator`.
    fileprivate func variation(
        named text: String, separator: Character, of option: OptionDeclaration
    ) throws(UsageError) -> (experience: ProjectConfig.Experience, variationID: String) {
        // A key may contain the separator.
        for index in text.indices where text[index] == separator {
            guard let experience = experience(named: String(text[..<index])) else { continue }
            let name = String(text[text.index(after: index)...])
            let key = PropertyKey(name)
            let variations = experience.variations
            let variation =
                variations.first { $0.key.map { PropertyKey($0) } == key } ?? variations.first { $0.id?.key == key }
            guard let id = variation?.id?.text else {
                let unknown = UnknownName("variation", name, among: variations.compactMap(\.keyOrID))
                throw UsageError(
                    "\(option.name): experience '\(text[..<index])' has no variation '\(name)'\(unknown.question)")
            }
            return (experience, id)
        }
        let unknown = UnknownName("variation", text, among: variationNames(separator: String(separator)))
        throw UsageError(
            "\(option.name) '\(text)' names no variation; "
                + unknown.remedy(else: "give \(option.value?.name ?? "") with keys or ids"))
    }
}

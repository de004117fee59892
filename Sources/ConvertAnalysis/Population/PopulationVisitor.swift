public import ConvertECMAScript
public import ConvertSwiftSDKCore

/// A visitor of a population: everything that a decision depends on.
///
/// In files a visitor is one line of JSON, in which only the id is required:
///
///     {"visitorId":"v-1","attributes":{"plan":"pro"},"locationProperties":{"path":"/"},"stored":{"segments":{}}}
public struct PopulationVisitor: Sendable, Equatable {
    /// The visitor's id. It is not empty if the visitor was read from a file.
    public var visitorID: String

    /// The visitor's properties.
    public var attributes: JSObject

    /// The properties of the visitor's location; `nil` if they are unknown, which differs from an empty object.
    public var locationProperties: JSObject?

    /// The visitor's stored state.
    public var stored: VisitorState

    /// Creates a visitor.
    public init(
        visitorID: String, attributes: JSObject = [:], locationProperties: JSObject? = nil,
        stored: VisitorState = VisitorState()
    ) {
        self.visitorID = visitorID
        self.attributes = attributes
        self.locationProperties = locationProperties
        self.stored = stored
    }
}

extension PopulationVisitor {
    /// The members of a visitor's line, in the order in which they are written.
    enum Member: Int, CaseIterable, Sendable {
        case visitorID, attributes, locationProperties, stored

        var name: String {
            switch self {
            case .visitorID: "visitorId"
            case .attributes: "attributes"
            case .locationProperties: "locationProperties"
            case .stored: "stored"
            }
        }
    }

    /// Reads a visitor as `JSON.parse` does. A member with the value `null` counts as missing. An unknown member is an
    /// error, so that a misspelled one is not lost silently. An id that is a number is converted to text as in
    /// JavaScript: `123` becomes `"123"`, and `1e21` becomes `"1e+21"`.
    ///
    /// - Throws: ``PopulationVisitorError``, which names the place and the correction.
    public init(json: String) throws(PopulationVisitorError) {
        self = try json.utf8.withElements { bytes throws(PopulationVisitorError) in
            try PopulationVisitor(json: bytes)
        }
    }

    /// Reads a visitor from UTF-8, as ``init(json:)-(String)`` does.
    package init(json: ByteText) throws(PopulationVisitorError) {
        try self.init(json: json, by: .members)
    }

    /// Receives an unknown member of a visitor, and returns whether it is allowed.
    typealias OtherMember = (_ name: String, _ value: JSONCursor) throws(PopulationVisitorError) -> Bool

    /// Reads a visitor, using the names known from earlier lines. `other` receives unknown members.
    init(
        json: ByteText, by vocabulary: VisitorVocabulary,
        or other: OtherMember = { _, _ throws(PopulationVisitorError) in false }
    ) throws(PopulationVisitorError) {
        let document: JSONDocument
        do {
            document = try ECMAScript.parseJSON(json, vocabulary: vocabulary.names)
        } catch {
            throw PopulationVisitorError(error, isEmpty: json.isEmpty)
        }
        self = try document.withRoot { root throws(PopulationVisitorError) in
            try PopulationVisitor(root, by: vocabulary, or: other)
        }
    }

    private init(
        _ root: JSONCursor, by vocabulary: VisitorVocabulary, or other: OtherMember
    ) throws(PopulationVisitorError) {
        guard root.isObject else {
            throw PopulationVisitorError(
                code: .wrongType, path: "$", message: #"expected an object such as {"visitorId":"v-1"}."#)
        }
        self.init(visitorID: "")
        for value in root.members where !value.isNull {
            switch vocabulary.member(value.nameNumber) {
            case .visitorID: visitorID = try Self.id(value)
            case .attributes: attributes = try Self.object(value, .attributes)
            case .locationProperties: locationProperties = try Self.object(value, .locationProperties)
            case .stored: stored = try VisitorState(checking: Self.object(value, .stored))
            case nil:
                let name = value.name?.name ?? ""
                guard try other(name, value) else {
                    throw .unknownMember(name, among: Member.allCases.map(\.name))
                }
            }
        }
        guard !visitorID.isEmpty else { throw .missingID }
    }

    private static func id(_ value: JSONCursor) throws(PopulationVisitorError) -> String {
        if let id = value.text { return id }
        if value.kind == .text {
            throw PopulationVisitorError(
                code: .wrongType, path: "$.visitorId",
                message: "the id has half a surrogate pair, which is not a character. Write it with whole characters.")
        }
        switch value.value {
        case .integer, .number: return ECMAScript.toString(value.value)
        default:
            throw PopulationVisitorError(
                code: .wrongType, path: "$.visitorId", message: "expected a text or a number; found another value.")
        }
    }

    private static func object(_ value: JSONCursor, _ member: Member) throws(PopulationVisitorError) -> JSObject {
        guard value.isObject, let object = value.value.objectValue else {
            throw PopulationVisitorError(
                code: .wrongType, path: "$.\(member.name)", message: "expected an object; found another value.")
        }
        return object
    }

    /// The visitor as one line of JSON without its line end. Reading the line gives the same visitor.
    public var json: String { ECMAScript.jsonText(keepingNumbersOf: .object(members)) }

    /// Appends the visitor's line without the closing brace.
    func appendOpened(to bytes: inout JSONBytes) {
        bytes.append(json: json.utf8.dropLast())
    }

    /// The members of the visitor's line.
    private var members: JSObject {
        var members: JSObject = [Member.visitorID.name: .string(visitorID)]
        if !attributes.isEmpty { members[Member.attributes.name] = .object(attributes) }
        if let locationProperties { members[Member.locationProperties.name] = .object(locationProperties) }
        if !stored.isEmpty { members[Member.stored.name] = .object(stored.json) }
        return members
    }
}

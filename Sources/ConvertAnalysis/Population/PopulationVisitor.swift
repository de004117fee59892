public import ConvertECMAScript
public import ConvertSwiftSDKCore

/// A visitor of a population: everything that a decision depends on.
///
/// In files a visitor is one line of JSON, in which only the id is required:
///
///     {"visitorId":"v-1","attributes":{"plan":"pro"},"locationProperties":{"path":"/"},"stored":{"segments":{}}}
public struct PopulationVisitor: Sendable, Equatable {
    /// The visitor's id, which is not empty in a visitor that was read.
    public var visitorID: String

    /// The visitor's properties.
    public var attributes: JSObject

    /// Properties of where the visitor is; `nil` if nothing is known, which is not the same as an empty object.
    public var locationProperties: JSObject?

    /// What is stored of the visitor.
    public var stored: VisitorState

    /// A visitor.
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
    /// The members, in the order in which they are written.
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

    /// Reads a visitor as `JSON.parse` does. A member that is `null` counts as missing; a member that visitors do not
    /// have is refused, because a misspelled one would be lost silently. An id that is a number counts as the text that
    /// JavaScript makes of it: `123` is `"123"`, `1e21` is `"1e+21"`.
    ///
    /// - Throws: ``PopulationVisitorError`` with the place and what to do.
    public init(json: String) throws(PopulationVisitorError) {
        self = try json.utf8.withElements { bytes throws(PopulationVisitorError) in
            try PopulationVisitor(json: bytes)
        }
    }

    /// Reads a visitor, as ``init(json:)-(String)`` does, from UTF-8.
    package init(json: ByteText) throws(PopulationVisitorError) {
        try self.init(json: json, by: .members)
    }

    /// Takes a member that visitors do not have, and says whether it may be there.
    typealias OtherMember = (_ name: String, _ value: JSONCursor) throws(PopulationVisitorError) -> Bool

    /// Reads a visitor with what is known of the names in others; `other` gets what is no member of a visitor.
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
                message: "the id has half a surrogate pair, which is no character. Write it with whole characters.")
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

    /// The visitor as one line of JSON without its end, which reads as the same visitor.
    public var json: String { ECMAScript.jsonText(keepingNumbersOf: .object(members)) }

    /// Appends the visitor's line without the brace that closes it.
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

internal import ConvertECMAScript

/// Names that are common in visitors' lines. Each is read and hashed once for many lines.
struct VisitorVocabulary: Sendable {
    /// The names, in the order in which they probably occur.
    let names: JSONVocabulary
    /// For each name, the visitor's member with this name; `nil` if no member has it.
    private let members: [PopulationVisitor.Member?]

    /// The maximum number of learned names. Lines with more names can still be read.
    private static let nameLimit = 256

    /// The vocabulary that contains only the names of members.
    static let members = VisitorVocabulary(PopulationVisitor.Member.allCases.map(\.name))

    /// Creates the vocabulary of lines like that of `visitor`.
    init(of visitor: PopulationVisitor) {
        typealias Member = PopulationVisitor.Member
        let attributes = visitor.attributes.members.map(\.key.name)
        let location = visitor.locationProperties?.members.map(\.key.name) ?? []
        let all =
            [Member.visitorID.name, Member.attributes.name] + attributes + [Member.locationProperties.name] + location
            + [Member.stored.name]
        var seen = Set(Member.allCases.map { PropertyKey($0.name) })
        let others = (attributes + location).filter { seen.insert(PropertyKey($0)).inserted }.prefix(Self.nameLimit)
        var wanted = Set((Member.allCases.map(\.name) + others).map { PropertyKey($0) })
        self.init(all.filter { wanted.remove(PropertyKey($0)) != nil })
    }

    private init(_ list: [String]) {
        names = JSONVocabulary(list)
        let known = Dictionary(uniqueKeysWithValues: PopulationVisitor.Member.allCases.map { ($0.name, $0) })
        members = list.map { known[$0] }
    }

    /// The member whose name has this number.
    func member(_ number: UInt32) -> PopulationVisitor.Member? {
        number < members.count ? members[Int(number)] : nil
    }
}

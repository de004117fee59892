internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The entity that a finding is about, as a page names it.
struct LintSubject: Sendable, Hashable {
    /// Where entities of its kind stand among those of other kinds.
    let rank: Int
    let index: Int
    /// The kind and the key, or else the id: `Experience “checkout”`.
    let title: String
    /// What people call it; `nil` if that is the key too.
    let name: String?

    init(_ entity: ConfigDocument.Entity) {
        rank = ConfigDocument.List.allCases.firstIndex(of: entity.list) ?? 0
        index = entity.index
        let kind = entity.list.entity.prefix(1).uppercased() + entity.list.entity.dropFirst()
        let key = entity.key ?? entity.id?.text
        title = key.map { "\(kind) “\($0.excerpt(80))”" } ?? "\(kind) \(entity.index)"
        let name = entity.members["name"]?.stringValue.map { $0.excerpt(80) }
        self.name = name == key ? nil : name
    }
}

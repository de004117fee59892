internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The entity that a finding is about, as an HTML report names it.
struct LintSubject: Sendable, Hashable {
    let list: ConfigDocument.List
    let index: Int
    let id: EntityID?
    let key: String?
    /// The kind, with the key or else the id: `Experience “checkout”`.
    let title: String
    /// The display name; `nil` if it equals the key.
    let name: String?

    init(_ entity: ConfigDocument.Entity) {
        list = entity.list
        index = entity.index
        id = entity.id
        self.key = entity.key
        let kind = entity.list.entity.prefix(1).uppercased() + entity.list.entity.dropFirst()
        let key = entity.key ?? entity.id?.text
        title = key.map { "\(kind) “\($0.excerpt(80))”" } ?? "\(kind) \(entity.index)"
        let name = entity.members["name"]?.stringValue.map { $0.excerpt(80) }
        self.name = name == key ? nil : name
    }
}

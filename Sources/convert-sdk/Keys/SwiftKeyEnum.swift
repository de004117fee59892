/// A Swift enum with a case for each key.
struct SwiftKeyEnum {
    private let name: String
    private let kind: String
    private let isPublic: Bool
    private let cases: [(name: String, key: String)]

    /// - Parameters:
    ///   - kind: the kind of entity that the keys name, such as `experience`.
    ///   - keys: the distinct keys.
    ///   - isPublic: whether other modules can use it.
    init(_ name: String, of kind: String, _ keys: [String], isPublic: Bool) {
        self.name = name
        self.kind = kind
        self.isPublic = isPublic
        var taken: Set<String> = []
        cases = keys.map { key in
            let base = SwiftCaseName(of: key).text
            var (candidate, number) = (base, 1)
            while !taken.insert(candidate).inserted {
                number += 1
                candidate = "\(base)_\(number)"
            }
            return (candidate, key)
        }
    }

    /// The declaration, line by line.
    var lines: [String] {
        // An enum without cases cannot have raw values.
        guard !cases.isEmpty else { return ["// \(name): no \(kind) has a key."] }
        return [
            "/// The keys of the project's \(kind)s.",
            "\(isPublic ? "public " : "")enum \(name): String, CaseIterable, Sendable, ConvertKey {",
        ]
            + cases.map { "    case \(SwiftCaseName.quoted($0.name)) = \(Self.literal($0.key))" } + ["}"]
    }

    /// `text` as a Swift string literal.
    private static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case _ where scalar.value >= 0x20 && scalar.value < 0x7F || SwiftCaseName.isLetter(scalar):
                literal.unicodeScalars.append(scalar)
            default: literal += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return literal + "\""
    }
}

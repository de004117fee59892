import ConvertECMAScript

/// A name that a config does not have, and the one that was most likely meant.
package struct UnknownName: CustomStringConvertible {
    /// What it was to be the name of, such as `experience`.
    package let kind: String
    /// The name.
    package let name: String
    /// The name that was most likely meant; `nil` if none is near.
    package let nearest: String?

    /// The unknown `name` of something of `kind`, beside the names that there are.
    package init(_ kind: String, _ name: String, among names: some Sequence<String>) {
        self.kind = kind
        self.name = name
        nearest = names.nearest(to: name)
    }

    /// What is wrong, and what was most likely meant.
    package var description: String { "the config has no \(kind) '\(name.excerpt(80))'\(question)" }

    /// `; did you mean 'NAME'?`, or nothing if no name is near.
    package var question: String { nearest.map { "; \($0.didYouMean)" } ?? "" }
}

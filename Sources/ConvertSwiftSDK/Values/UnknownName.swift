import ConvertECMAScript

/// A name that a config does not have, and the most similar name that it has.
package struct UnknownName: CustomStringConvertible {
    /// The kind of thing that was looked up, such as `experience`.
    package let kind: String
    package let name: String
    /// The most similar name; `nil` if there is no similar one.
    package let nearest: String?

    /// Creates the unknown `name` of a thing of `kind`, and looks for the most similar of `names`.
    package init(_ kind: String, _ name: String, among names: some Sequence<String>) {
        self.kind = kind
        self.name = name
        nearest = names.nearest(to: name)
    }

    package var description: String { "the config has no \(kind) '\(name.excerpt(80))'\(question)" }

    /// `; did you mean 'NAME'?`, or empty if no name is similar.
    package var question: String { nearest.question }
}

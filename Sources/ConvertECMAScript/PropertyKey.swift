/// A property name with its hash, so that a name used for many look-ups is hashed once.
///
/// Names are equal when their code units are. Swift's own `String` equality is canonical equivalence, under which
/// `é` and `e` + U+0301 would be one key; JavaScript has two.
public struct PropertyKey: Sendable {
    /// The name.
    public let name: String

    /// A hash of the name's UTF-8. It is seeded anew in every process, which makes collisions hard to provoke.
    package let hash: UInt32

    /// Hashes `name`, in time linear to its length.
    public init(_ name: String) {
        var contiguous = name
        var hasher = Hasher()
        contiguous.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        self.name = contiguous
        hash = UInt32(truncatingIfNeeded: hasher.finalize())
    }
}

extension PropertyKey: Equatable, Hashable, ExpressibleByStringLiteral {
    /// Whether both names consist of the same code units.
    public static func == (left: PropertyKey, right: PropertyKey) -> Bool {
        left.hash == right.hash && left.name.hasSameCodeUnits(as: right.name)
    }

    /// Feeds the stored hash; the name is not read again.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    /// Hashes the name.
    public init(stringLiteral name: String) { self.init(name) }
}

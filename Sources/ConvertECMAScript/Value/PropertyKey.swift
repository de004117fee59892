/// A property name with its hash, so that a name that is used for many look-ups is hashed once.
///
/// Names are equal if their code units are equal. Swift's `String` equality is canonical equivalence, under which `é`
/// and `e` + U+0301 would be one key; JavaScript has two.
public struct PropertyKey: Sendable {
    /// The name. For a name with a lone surrogate, this is its JSON spelling. Such a key never equals the key of a
    /// well-formed name, even of a name with the same spelling.
    public let name: String

    /// A hash of the name's UTF-8. Its seed changes with every process, so that collisions are hard to provoke. The
    /// highest bit is set only if ``name`` is a JSON spelling.
    @usableFromInline package let hash: UInt32

    /// The highest bit of the ``hash``.
    @usableFromInline static var illFormedBit: UInt32 { @inline(__always) get { 1 &<< 31 } }

    /// Creates a key and hashes `name`, in time linear to its length.
    public init(_ name: consuming String) {
        name.makeContiguousUTF8()
        hash = Self.hash(of: name)
        self.name = name
    }

    /// Creates the key whose name is `text`.
    public init(_ text: IllFormedText) {
        name = ECMAScript.spelling(of: text)
        hash = text.bytes.withElements { Self.hash($0) } | Self.illFormedBit
    }

    /// Whether a Swift string cannot hold the name.
    @inlinable package var isIllFormed: Bool { @inline(__always) get { hash & Self.illFormedBit != 0 } }

    /// The name, if a Swift string cannot hold it; otherwise `nil`.
    package var illFormedText: IllFormedText? {
        isIllFormed ? ECMAScript.text(spelled: name) : nil
    }

    /// The name for display, with U+FFFD in place of each lone surrogate.
    @inlinable public var text: String { isIllFormed ? shownText : name }

    @usableFromInline var shownText: String { illFormedText?.wellFormed ?? name }

    /// The name's UTF-16 code units.
    package var codeUnits: [UInt16] { illFormedText?.codeUnits ?? Array(name.utf16) }

    /// The name as a value.
    package var value: JSValue { illFormedText.map { .illFormedString($0) } ?? .string(name) }

    /// The key of the name in lower case.
    package var lowercase: PropertyKey {
        illFormedText.map { PropertyKey($0.lowercase) } ?? PropertyKey(ECMAScript.toLowerCase(name))
    }

    /// Creates a key from a name and its hash. The name must be stored as contiguous UTF-8.
    init(_ name: String, hash: UInt32) {
        self.name = name
        self.hash = hash
    }

    /// The hash that a key with this name has.
    static func hash(of name: String) -> UInt32 { name.withUTF8Bytes { hash($0) } }

    /// Secrets of this process. They are odd, so that multiplying by them is reversible.
    static let secrets = (UInt64.random(in: .min ... .max) | 1, UInt64.random(in: .min ... .max) | 1)

    /// The hash of a name in UTF-8. It combines the words of the name by full multiplications with a secret.
    @inline(__always)
    package static func hash(_ bytes: ByteText) -> UInt32 {
        // The standard library's hash is stronger, but for most names its setup and completion take longer than the
        // name itself.
        let (first, second) = secrets
        var state = second ^ UInt64(truncatingIfNeeded: bytes.count)
        let last = bytes.forEachWord { (word: UInt64) in state = fold(state ^ word, first) }
        state = fold(fold(state ^ last.rest, first), second)
        return UInt32(truncatingIfNeeded: state) & ~illFormedBit
    }

    /// Combines a hash with `word`, under the ``secrets``.
    @inline(__always)
    static func combine(_ hash: UInt64, _ word: UInt64, _ secrets: (UInt64, UInt64)) -> UInt64 {
        fold(hash ^ word ^ secrets.1, secrets.0)
    }

    @inline(__always)
    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}

extension PropertyKey {
    /// The name of the member through which a JavaScript object exposes its prototype.
    package static let prototypeAccessor = PropertyKey("__proto__")
}

extension PropertyKey: Equatable, Hashable, ExpressibleByStringLiteral {
    /// Whether both names consist of the same code units.
    public static func == (left: PropertyKey, right: PropertyKey) -> Bool {
        left.hash == right.hash && left.name.hasSameCodeUnits(as: right.name)
    }

    /// Feeds the stored hash, without reading the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    /// Creates a key and hashes the name.
    public init(stringLiteral name: String) { self.init(name) }
}

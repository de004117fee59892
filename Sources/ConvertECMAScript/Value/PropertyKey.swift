/// A property name with its hash, so that a name used for many look-ups is hashed once.
///
/// Names are equal when their code units are. Swift's own `String` equality is canonical equivalence, under which
/// `é` and `e` + U+0301 would be one key; JavaScript has two.
public struct PropertyKey: Sendable {
    /// The name. One with a lone surrogate is spelled as JSON spells it between quotes: such a key equals that of no text,
    /// whatever the spelling.
    public let name: String

    /// A hash of the name's UTF-8. It is seeded anew in every process, which makes collisions hard to provoke. The highest bit
    /// is set where ``name`` is a spelling, and nowhere else.
    @usableFromInline package let hash: UInt32

    /// The highest bit of the ``hash``.
    @usableFromInline static var illFormedBit: UInt32 { @inline(__always) get { 1 &<< 31 } }

    /// Hashes `name`, in time linear to its length.
    public init(_ name: String) {
        if let hash = name.utf8.withContiguousStorageIfAvailable({ Self.hash($0) }) {
            self.hash = hash
            self.name = name
        } else {
            var contiguous = name
            hash = contiguous.withUTF8 { Self.hash($0) }
            self.name = contiguous
        }
    }

    /// The key whose name is `text`.
    public init(_ text: IllFormedText) {
        name = ECMAScript.spelling(of: text)
        hash = text.bytes.withUnsafeBufferPointer { Self.hash($0) } | Self.illFormedBit
    }

    /// Whether Swift text cannot hold the name.
    @inlinable package var isIllFormed: Bool { @inline(__always) get { hash & Self.illFormedBit != 0 } }

    /// The name where Swift text cannot hold it.
    package var illFormedText: IllFormedText? {
        isIllFormed ? ECMAScript.text(spelled: name) : nil
    }

    /// The name as text that can be shown, with U+FFFD in place of each lone surrogate.
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

    /// A key of a name whose hash is known. The name must be stored as contiguous UTF-8.
    init(_ name: String, hash: UInt32) {
        self.name = name
        self.hash = hash
    }

    /// The hash of `name`, which a key made of it would have.
    static func hash(of name: String) -> UInt32 { name.withUTF8Bytes { hash($0) } }

    /// Secrets of this process, odd so that multiplying by them loses nothing.
    static let secrets = (UInt64.random(in: .min ... .max) | 1, UInt64.random(in: .min ... .max) | 1)

    /// Folds words of the text into a state by full multiplications with a secret.
    package static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        // The standard library's hash is stronger, but most names are shorter than what it takes to start and to finish.
        let (first, second) = secrets
        var state = second ^ UInt64(truncatingIfNeeded: bytes.count)
        var last: UInt64 = 0
        if let source = UnsafeRawPointer(bytes.baseAddress) {
            var index = 0
            while index &+ 8 <= bytes.count {
                state = fold(state ^ source.loadUnaligned(fromByteOffset: index, as: UInt64.self), first)
                index &+= 8
            }
            last = (source + index).loadWord(count: bytes.count &- index)
        }
        state = fold(fold(state ^ last, first), second)
        return UInt32(truncatingIfNeeded: state) & ~illFormedBit
    }

    /// A hash of what `hash` is one of and then of `word`, under the ``secrets``.
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
    /// The name under which an object of JavaScript has what it inherits from.
    package static let prototypeAccessor = PropertyKey("__proto__")
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

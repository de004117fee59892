internal import ConvertECMAScript

/// One comparison under way: a row of the program, and the attribute that it is made on.
struct Comparison {
    private let input: AttributeReader
    private let index: Int
    /// Where the attribute is among those that are read: its slot, or 0 for a single value.
    private let place: Int

    /// The comparison at `index` of the program on the attribute at `place`.
    @inline(__always)
    init(_ index: Int, on place: Int, _ input: AttributeReader) {
        self.input = input
        self.place = place
        self.index = index
    }

    var row: ComparisonRow { @inline(__always) get { input.comparisons[index] } }
    var attribute: Attribute { @inline(__always) get { input.slot(place).pointee } }
    var semantics: RuleSemantics { program.semantics }
    var program: RuleProgram { @inline(__always) get { input.program } }

    /// The attribute's text.
    var text: ByteText { @inline(__always) get { input.text(at: attribute.text) } }
    /// The attribute's text in lowercase.
    var lowercase: ByteText { @inline(__always) get { input.text(at: attribute.lowercase) } }
    /// The rule's text.
    var ruleText: ByteText { @inline(__always) get { program.internedTexts.bytes.text(at: row.range) } }
    /// The attribute's whole value; `nil` if it is absent or undefined.
    var value: JSValue? { input.value(in: place) }
    /// The rule's value as it is.
    var ruleValue: JSValue? { program.originals[Int(row.condition)].value }

    /// Whether the attribute is compared: it is there, or absent ones are compared as empty texts.
    var isCompared: Bool { @inline(__always) get { attribute.kind != .absent || semantics.comparesAbsentAsEmpty } }

    /// Whether the attribute is compared, and by its text if it is an array or an object.
    var hasText: Bool { @inline(__always) get { isCompared && !attribute.isTextless } }
}

extension Comparison {
    /// Visits, which are about as many nanoseconds, for each byte of a long text.
    enum Cost: Int {
        /// The text is searched.
        case search = 4
        /// It is copied, its surrogates apart.
        case copy = 8
        /// Each part of it, or each element of an array, is looked up.
        case lookUp = 16
        /// Text is made of an array's elements once more.
        case text = 64
    }

    /// Pays for a comparison that reads all of the attribute's text, if that is long. Returns the answer to one that takes more
    /// than is left.
    @inline(__always)
    func pay(_ cost: Cost) -> Truth? {
        let count = attribute.text.count
        return count > CallBudget.freeTextCount ? pay(visits: cost.rawValue * count) : nil
    }

    @inline(never)
    func pay(visits: Int) -> Truth? { input.budget.pointee.pay(visits: visits, at: Int(row.condition)) }

    /// Whether `pattern` matches the attribute's text in lowercase.
    func truth(of pattern: RegExp) -> Truth {
        input.budget.pointee.truth(of: pattern, on: lowercase, at: Int(row.condition))
    }
}

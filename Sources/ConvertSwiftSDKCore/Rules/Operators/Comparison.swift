internal import ConvertECMAScript

/// One comparison in progress: a row of the program, and the attribute to compare.
struct Comparison {
    private let input: AttributeReader
    private let index: Int
    /// Index of the attribute in the table: its slot, or 0 for a single value.
    private let place: Int

    /// Creates the comparison at `index` of the program, for the attribute at `place`.
    @inline(__always)
    init(_ index: Int, on place: Int, _ input: AttributeReader) {
        self.input = input
        self.place = place
        self.index = index
    }

    var row: ComparisonRow { @inline(__always) get { input.resolver.row(at: index) } }
    var attribute: Attribute { @inline(__always) get { input.resolver.attributes[place] } }
    var semantics: RuleSemantics { program.semantics }
    var program: RuleProgram { @inline(__always) get { input.resolver.program } }

    var text: ByteText { @inline(__always) get { input.resolver.text(at: attribute.text) } }
    var lowercase: ByteText { @inline(__always) get { input.resolver.text(at: attribute.lowercase) } }
    var ruleText: ByteText { @inline(__always) get { input.resolver.ruleText(at: row.range) } }
    /// The attribute's whole value; `nil` if it is absent or undefined.
    var value: JSValue? { input.resolver.value(in: place) }
    var ruleValue: JSValue? { program.originals[Int(row.condition)].value }

    /// Whether the attribute is compared: it is present, or the semantics compare absent attributes as empty texts.
    var isCompared: Bool { @inline(__always) get { attribute.kind != .absent || semantics.comparesAbsentAsEmpty } }

    /// Whether the attribute is compared and has a text, even if it is an array or an object.
    var hasText: Bool { @inline(__always) get { isCompared && !attribute.isTextless } }
}

extension Comparison {
    /// Cost per byte of a long text, in visits (about a nanosecond each).
    enum Cost: Int {
        /// The text is searched.
        case search = 4
        /// The text is copied, with separated surrogates.
        case copy = 8
        /// Each part of the text, or each element of an array, is looked up.
        case lookUp = 16
        /// An array's elements are converted to text again.
        case text = 64
    }

    /// Pays for a comparison that reads the attribute's whole text, if the text is long. Returns an answer if the
    /// budget does not suffice, otherwise `nil`.
    @inline(__always)
    func pay(_ cost: Cost) -> Truth? {
        let count = attribute.text.count
        return count > CallBudget.freeTextCount ? pay(visits: cost.rawValue * count) : nil
    }

    @inline(never)
    func pay(visits: Int) -> Truth? { input.budget.value.pay(visits: visits, at: Int(row.condition)) }

    /// Whether `pattern` matches the attribute's lowercased text.
    func truth(of pattern: RegExp) -> Truth {
        input.budget.value.truth(of: pattern, on: lowercase, at: Int(row.condition))
    }
}

internal import ConvertECMAScript

/// Reads the visitors in parts of a stream, on one thread.
struct VisitorReader {
    private let syntax: RecordSyntax
    private var plain = PlainVisitorReader()
    private var vocabulary = VisitorVocabulary.members
    /// The number of visitors from which names may still be learned.
    private var lessonCount = 8
    /// The number of attributes of the visitor that the vocabulary comes from.
    private var knownCount = 0

    init(_ syntax: RecordSyntax) { self.syntax = syntax }

    /// The contents of a record.
    enum Record {
        case visitor(PopulationVisitor)
        case failure(PopulationVisitorError)
        /// Only white space.
        case blank
    }

    /// Passes each record of `part` to `body`.
    mutating func forEachVisitor(of part: RecordReader.Part, _ body: (Record) -> Void) {
        part.forEach(syntax.framing) { record in
            guard let record else { return body(.failure(.tooLong)) }
            switch visitor(record) {
            case .success(let visitor): body(.visitor(visitor))
            case .failure(let error): body(record.isBlank ? .blank : .failure(error))
            }
        }
    }

    private mutating func visitor(
        _ record: ByteText
    ) -> Result<PopulationVisitor, PopulationVisitorError> {
        Result { () throws(PopulationVisitorError) in
            switch syntax {
            case .csv(let columns, _): return try columns.visitor(record)
            case .jsonLines:
                if let visitor = plain.visitor(record) { return visitor }
                let visitor = try PopulationVisitor(json: record, by: vocabulary)
                if lessonCount > 0, !visitor.attributes.isEmpty {
                    lessonCount -= 1
                    if visitor.attributes.count > knownCount { learn(visitor) }
                }
                return visitor
            }
        }
    }

    private mutating func learn(_ visitor: PopulationVisitor) {
        knownCount = visitor.attributes.count
        vocabulary = VisitorVocabulary(of: visitor)
    }
}

internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// The meaning of a CSV file's columns, read from the file's first record.
struct CSVColumns: Sendable {
    private enum Column: Hashable, Sendable {
        case visitorID, attributes, locationProperties, stored
        case attribute(PropertyKey)
        case locationProperty(PropertyKey)
        /// A column without a name; its cells must be empty.
        case unnamed

        init(_ name: String) {
            switch name {
            case "": self = .unnamed
            case "visitorId": self = .visitorID
            case "attributes": self = .attributes
            case "locationProperties": self = .locationProperties
            case "stored": self = .stored
            default:
                if let name = name.suffix(behind: "attributes.") {
                    self = .attribute(PropertyKey(name))
                } else if let name = name.suffix(behind: "locationProperties.") {
                    self = .locationProperty(PropertyKey(name))
                } else {
                    self = .attribute(PropertyKey(name))
                }
            }
        }
    }

    private let columns: [Column]
    private let separator: UInt8
    /// The minimum number of cells in a record: columns without a name at the end may be missing.
    private let leastCount: Int

    /// Reads the first record of a file, without byte order mark and line end.
    init(
        _ header: ByteText, separatedBy separator: UInt8 = UInt8(ascii: ",")
    ) throws(PopulationVisitorError) {
        self.separator = separator
        let names = try CSVRecord(header, separatedBy: separator).cells.map(\.text)
        if let name = names.first(where: { $0.first?.isWhitespace ?? false || $0.last?.isWhitespace ?? false }) {
            throw PopulationVisitorError(
                code: .invalidSyntax, path: "$",
                message: "the first record has blanks around the name '\(name.excerpt().onOneLine)'; remove them, and "
                    + "those beside the separators of the other records, because they belong to the values.")
        }
        columns = names.map(Column.init)
        leastCount = (columns.lastIndex { $0 != .unnamed } ?? 0) + 1
        guard columns.contains(.visitorID) else {
            if names.first?.hasPrefix("sep=") ?? false {
                throw PopulationVisitorError(
                    code: .missingID, path: "$",
                    message: "the first line, 'sep=', is for spreadsheets; remove it.")
            }
            let nearest = names.nearest(to: "visitorId").map { "; rename '\($0.excerpt().onOneLine)'" } ?? ""
            throw PopulationVisitorError(
                code: .missingID, path: "$",
                message: "the first record names no column 'visitorId'\(nearest); commas, semicolons or tabs separate "
                    + "columns.")
        }
        var seen: Set<Column> = []
        for (index, column) in columns.enumerated() where column != .unnamed && !seen.insert(column).inserted {
            throw PopulationVisitorError(
                code: .invalidSyntax, path: "$",
                message: "the first record names the column '\(names[index].excerpt().onOneLine)' twice.")
        }
    }

    /// Returns the visitor of a record, whose bytes are passed without the line end.
    func visitor(_ bytes: ByteText) throws(PopulationVisitorError) -> PopulationVisitor {
        guard !bytes.isEmpty else {
            throw PopulationVisitorError(
                code: .invalidSyntax, path: "$", message: "the line is empty; expected a visitor.")
        }
        let cells = try CSVRecord(bytes, separatedBy: separator).cells
        guard (leastCount...columns.count).contains(cells.count) else {
            throw PopulationVisitorError(
                code: .invalidSyntax, path: "$",
                message: "expected \(columns.count) cells, as in the first record; found \(cells.count).")
        }
        var visitor = PopulationVisitor(visitorID: "")
        var attributes: JSObject = [:]
        var location: JSObject = [:]
        for (index, (column, cell)) in zip(columns, cells).enumerated() where cell.isQuoted || !cell.text.isEmpty {
            switch column {
            case .visitorID: visitor.visitorID = cell.text
            case .attributes: visitor.attributes = try Self.object(cell.text, "attributes")
            case .locationProperties: visitor.locationProperties = try Self.object(cell.text, "locationProperties")
            case .stored: visitor.stored = try VisitorState(checking: Self.object(cell.text, "stored"))
            case .attribute(let name): attributes[name] = .string(cell.text)
            case .locationProperty(let name): location[name] = .string(cell.text)
            case .unnamed:
                guard cell.text.isEmpty else {
                    throw PopulationVisitorError(
                        code: .invalidSyntax, path: "$",
                        message: "cell \(index + 1) has a value, and the first record names no column there.")
                }
            }
        }
        guard !visitor.visitorID.isEmpty else { throw .missingID }
        visitor.attributes.add(attributes)
        if !location.isEmpty {
            var all = visitor.locationProperties ?? [:]
            all.add(location)
            visitor.locationProperties = all
        }
        return visitor
    }

    private static func object(_ json: String, _ name: String) throws(PopulationVisitorError) -> JSObject {
        let document: JSONDocument
        do {
            document = try ECMAScript.parseJSON(json)
        } catch {
            throw PopulationVisitorError(
                code: .invalidSyntax, path: "$.\(name)",
                message: "not valid JSON at column \(error.column): expected \(error.expected).")
        }
        guard let object = document.withRoot({ $0.value.objectValue }) else {
            throw PopulationVisitorError(
                code: .wrongType, path: "$.\(name)", message: "expected a JSON object; found another value.")
        }
        return object
    }
}

extension JSObject {
    /// Sets all members of `others`.
    fileprivate mutating func add(_ others: JSObject) {
        if isEmpty {
            self = others
        } else {
            for member in others { self[member.key] = member.value }
        }
    }
}

extension String {
    /// The text after `prefix`, compared by bytes; `nil` if the text does not begin with `prefix`, or ends there.
    fileprivate func suffix(behind prefix: String) -> String? {
        guard utf8.starts(with: prefix.utf8), utf8.count > prefix.utf8.count else { return nil }
        return String(Substring(utf8.dropFirst(prefix.utf8.count)))
    }
}

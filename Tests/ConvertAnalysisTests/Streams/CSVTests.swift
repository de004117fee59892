import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

@testable import ConvertAnalysis

struct CSVTests {
    private func visitor(_ header: String, _ record: String) throws -> PopulationVisitor {
        let columns = try Array(header.utf8).withElements { bytes in
            let found = try #require(CSVDialect.detect(in: bytes, isWhole: true))
            return try CSVColumns(found.header, separatedBy: found.dialect.separator)
        }
        return try Array(record.utf8).withElements { try columns.visitor($0) }
    }

    @Test func columnsAreAttributesUnlessTheySayOtherwise() throws {
        let visitor = try visitor(
            "plan,visitorId,attributes.visits,locationProperties.path,attributes,stored",
            #"pro,v-1,12,/a b,"{""beta"":true,""plan"":""free""}","{""bucketing"":{""9"":""91""}}""#)
        #expect(visitor.visitorID == "v-1")
        #expect(visitor.attributes == ["beta": true, "plan": "pro", "visits": "12"])
        #expect(visitor.locationProperties == ["path": "/a b"])
        #expect(visitor.stored.bucketing == ["9": "91"])
    }

    @Test func anEmptyCellIsNoPropertyUnlessItIsQuoted() throws {
        let visitor = try visitor("visitorId,a,b,locationProperties,stored", #"v,,"",,"#)
        #expect(visitor == PopulationVisitor(visitorID: "v", attributes: ["b": ""]))
    }

    @Test func aByteOrderMarkIsNoPartOfTheFirstName() throws {
        #expect(try visitor("\u{feff}visitorId", "v").visitorID == "v")
    }

    @Test(arguments: [
        ("visitorId;a,b", "v;1", "a,b"), ("\"visitorId\"\t\"a;b\"", "v\t1", "a;b"), ("visitorId,a;b;c", "v,1", "a;b;c"),
        ("a,visitorId,,", "1,v,,", "a"), ("a,visitorId,,", "1,v", "a"),
        ("\"visitorId\",\"\",\"a\",\"\"", "v,\"\",1,\"\"", "a"),
    ])
    func theFirstRecordTellsTheSeparatorAndWhichColumnsAreEmpty(header: String, record: String, name: String) throws {
        let visitor = try visitor(header, record)
        #expect(visitor == PopulationVisitor(visitorID: "v", attributes: [name: "1"]))
    }

    private static let separators = "; commas, semicolons or tabs separate columns."

    static let refused: [(header: String, record: String, description: String)] = [
        ("a,b", "", "$: the first record names no column 'visitorId'\(separators)"),
        ("visitorID,b", "", "$: the first record names no column 'visitorId'; rename 'visitorID'\(separators)"),
        ("visitorId,a,attributes.a", "", "$: the first record names the column 'attributes.a' twice."),
        (
            "visitorId, plan", "",
            "$: the first record has blanks around the name ' plan'; remove them, and those beside the separators of "
                + "the other records, because they belong to the values."
        ),
        (
            "visitorId,stored", "v,\"{\"\"buckting\"\":1}\"",
            "$.stored: unknown member 'buckting'; did you mean 'bucketing'?"
        ),
        ("visitorId,,a", "v,1,2", "$: cell 2 has a value, and the first record names no column there."),
        ("visitorId,a,", "v,1,2", "$: cell 3 has a value, and the first record names no column there."),
        ("visitorId,a,", "v", "$: expected 3 cells, as in the first record; found 1."),
        ("visitorID;b", "", "$: the first record names no column 'visitorId'; rename 'visitorID'\(separators)"),
        (
            "visitorId,a", "v,1\r2",
            "$: not valid CSV: cell 2 has a line break outside quotes."
        ),
        ("sep=;", "", "$: the first line, 'sep=', is for spreadsheets; remove it."),
        ("visitorId,a", "", "$: the line is empty; expected a visitor."),
        ("visitorId,a", "v", "$: expected 2 cells, as in the first record; found 1."),
        ("visitorId,a", "v,1,2", "$: expected 2 cells, as in the first record; found 3."),
        ("visitorId,a", ",1", "$.visitorId: it is missing or empty; nothing is decided without a visitor's id."),
        ("visitorId,a", "v,\"1", "$: not valid CSV: cell 2 has a quote that is not closed."),
        ("visitorId,a", "v,\"1\"2", "$: not valid CSV: cell 2 has text after the quote that closes the cell."),
        ("visitorId,a", "v,1\"2", "$: not valid CSV: cell 2 has a quote in a cell that does not begin with one."),
        ("visitorId,attributes", "v,[]", "$.attributes: expected a JSON object; found another value."),
        (
            "visitorId,stored", "v,{",
            "$.stored: not valid JSON at column 2: expected a member's name in double quotes or '}'."
        ),
    ]

    @Test(arguments: refused)
    func anInvalidVisitorIsRefusedWithItsPlace(header: String, record: String, description: String) {
        let error = #expect(throws: PopulationVisitorError.self) { try visitor(header, record) }
        #expect(error?.description == description)
    }

    @Test func bytesThatAreNotUTF8AreRefused() throws {
        let columns = try Array("visitorId,a".utf8).withElements { try CSVColumns($0) }
        #expect(throws: PopulationVisitorError.self) {
            try [UInt8](arrayLiteral: 0x76, 0x2c, 0xff).withElements { try columns.visitor($0) }
        }
    }
}

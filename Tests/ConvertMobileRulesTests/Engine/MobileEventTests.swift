import ConvertECMAScript
import ConvertMobileRules
import Foundation
import Testing

struct MobileEventTests {
    private func event(_ json: String) throws -> MobileEvent { try MobileEvent(json: Data(json.utf8)) }

    @Test func dataAreSwiftValues() {
        let (total, name, coupon) = (59.9, "Ada", String?.none)
        let event = MobileEvent(
            type: "track", source: "app",
            data: [
                "total": total, "coupon": coupon, "tags": ["a"], "cart": JSObject(["total": total, "name": name]),
            ])
        #expect(event.data == ["total": 59.9, "tags": ["a"], "cart": ["total": 59.9, "name": "Ada"]])
        let literal = MobileEvent(type: "track", source: "app", data: ["a": ["b": [1, "x", .null]]])
        #expect(literal.data == ["a": ["b": [1, "x", .null]]])
        #expect(MobileEvent(type: "track", source: "app", data: nil).data == nil)
    }

    @Test func anEventIsReadFromJSON() throws {
        #expect(
            try event(#"{"type":"t","source":"s","data":{"a":1,"a":[2]},"mask":["a"],"x":1}"#)
                == MobileEvent(type: "t", source: "s", data: ["a": [2]], mask: ["a"]))
        #expect(
            try event(#"{"type":"t","source":"s","data":null,"mask":null}"#) == MobileEvent(type: "t", source: "s"))
    }

    static let refused: [(String, MobileRulesError.Code, String)] = [
        ("", .invalidJSON, "$"), ("{", .invalidJSON, "$"), ("[]", .wrongType, "$"),
        (#"{"source":"s"}"#, .missingMember, "$.type"), (#"{"type":"t"}"#, .missingMember, "$.source"),
        (#"{"type":5,"source":"s"}"#, .wrongType, "$.type"), (#"{"type":"t","source":null}"#, .wrongType, "$.source"),
        (#"{"type":"t","source":"s","data":[]}"#, .wrongType, "$.data"),
        (#"{"type":"t","source":"s","mask":"a"}"#, .wrongType, "$.mask"),
        (#"{"type":"t","source":"s","mask":["a",1]}"#, .wrongType, "$.mask"),
    ]

    @Test(arguments: refused)
    func anInvalidEventIsRefusedWithItsPlace(json: String, code: MobileRulesError.Code, place: String) {
        let error = #expect(throws: MobileRulesError.self) { try event(json) }
        #expect(error?.code == code)
        #expect(error?.place == place)
    }
}

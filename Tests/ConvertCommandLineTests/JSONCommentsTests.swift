import Foundation
import Testing

@testable import convert_sdk

struct JSONCommentsTests {
    @Test(arguments: [
        ("/**/1", "    1"), ("/***/1", "     1"), ("/****/1", "      1"), ("/* * / */1", "         1"),
        ("/*/1", "    "), ("/*/*/1", "     1"), (#"{/*/ a "comment" */"a":1}"#, #"{                  "a":1}"#),
        ("1/*", "1  "), ("1/* *", "1    "), ("1/", "1/"), ("1//", "1  "), ("//*\n1", "   \n1"),
        ("/*\n//*/1", "  \n    1"), (#""/*/" /*"*/"#, #""/*/"      "#), (#""\"/*" //"#, #""\"/*"   "#),
    ])
    func commentsBecomeBlanks(json: String, expected: String) {
        #expect(String(decoding: JSONComments.removed(from: Data(json.utf8)), as: UTF8.self) == expected)
    }
}

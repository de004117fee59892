import ConvertSwiftSDK
import Testing

struct VisitorCookieTests {
    @Test(arguments: ["v1", "a b;c=d", "é\u{301}", "%41", "user@example.com"])
    func aCookieThatIsSetIsReadBack(id: String) throws {
        let pair = try #require(VisitorCookie.header(visitorID: id)).prefix { $0 != ";" }
        let read = try #require(VisitorCookie.visitorID(in: "other=1; \(pair); last=2"))
        #expect(Array(read.utf8) == Array(id.utf8))
    }

    @Test func theCookieLastsAYear() {
        #expect(
            VisitorCookie.header(visitorID: "v1")
                == "convert_visitor_id=v1; Max-Age=31536000; Path=/; SameSite=Lax; HttpOnly; Secure")
        #expect(VisitorCookie.header(visitorID: "v1", isSecure: false)?.contains("Secure") == false)
    }

    @Test(arguments: [
        nil, "", ";;", "convert_visitor_id", "convert_visitor_id=", "xconvert_visitor_id=v1", "Convert_Visitor_ID=v1",
        "convert_visitor_id=%00", "convert_visitor_id=a%0d%0ab", "convert_visitor_id=%ff", "convert_visitor_id=%4",
    ])
    func aMalformedCookieHasNoID(header: String?) {
        #expect(VisitorCookie.visitorID(in: header) == nil)
    }

    @Test func anIDHasALengthLimit() {
        func read(_ count: Int) -> String? {
            VisitorCookie.visitorID(in: "convert_visitor_id=" + String(repeating: "x", count: count))
        }
        #expect(read(VisitorCookie.maximumLength) != nil)
        #expect(read(VisitorCookie.maximumLength + 1) == nil && read(10_000) == nil)
    }

    @Test func aCookieThatCouldNotBeReadBackIsNotSet() throws {
        for id in ["", "a\nb", "\u{85}", String(repeating: "x", count: 257), String(repeating: "é", count: 129)] {
            #expect(VisitorCookie.header(visitorID: id) == nil)
        }
        // The longest one: each of its bytes is written as three.
        let longest = String(repeating: "é", count: 128)
        let pair = try #require(VisitorCookie.header(visitorID: longest)).prefix { $0 != ";" }
        #expect(VisitorCookie.visitorID(in: String(pair)) == longest)
    }
}

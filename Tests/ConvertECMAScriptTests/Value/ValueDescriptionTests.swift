import ConvertECMAScript
import Testing

struct ValueDescriptionTests {
    @Test func aValueIsShownAsJSON() {
        let value: JSValue = ["plan": "pro", "visits": 12, "tags": ["new", .null], "rate": 0.5]
        #expect("\(value)" == #"{"plan":"pro","visits":12,"tags":["new",null],"rate":0.5}"#)
    }

    @Test func anObjectIsShownAsTheValueThatItIs() {
        let object: JSObject = ["quote": #"""#]
        #expect("\(object)" == #"{"quote":"\""}"#)
    }

    @Test func howDeepAValueIsDoesNotMatter() {
        var value: JSValue = 1
        for _ in 0..<512 { value = [value] }
        #expect("\(value)".utf8.count == 1025)
    }
}

import ConvertTestSupport

/// Makes texts that are JSON, or nearly so, with much of what parsers get wrong.
struct JSONGenerator {
    var random: SeededGenerator

    init(seed: Int) { random = SeededGenerator(seed: seed) }

    mutating func document() -> [UInt8] {
        let text = Array(value(depth: 0).utf8)
        return random.happens(30) ? damaged(text) : text
    }

    private mutating func value(depth: Int) -> String {
        switch random.int(0...(depth > 4 ? 5 : 9)) {
        case 0: random.pick(["null", "true", "false", "nul", "True", "nulll"])
        case 1, 2: number()
        case 3, 4, 5: text()
        case 6, 7: container("[", "]", depth: depth) { $0.value(depth: depth + 1) }
        default:
            container("{", "}", depth: depth) { "\($0.name())\($0.space()):\($0.space())\($0.value(depth: depth + 1))" }
        }
    }

    private mutating func container(
        _ opener: String, _ closer: String, depth: Int, _ content: (inout JSONGenerator) -> String
    ) -> String {
        let contents = (0..<random.int(0...(random.happens(5) ? 40 : 5))).map { _ in
            space() + content(&self) + space()
        }
        let isTrailing = random.happens(2)
        return opener + contents.joined(separator: ",") + (isTrailing ? "," : "") + closer
    }

    private mutating func space() -> String {
        random.happens(80) ? "" : random.pick([" ", "\n", "\t", "\r", " \r\n ", random.happens(5) ? "\u{a0}" : " "])
    }

    private mutating func name() -> String {
        if random.happens(25) { return text() }
        return random.pick([
            #""a""#, #""b""#, #""id""#, #""key""#, #""0""#, #""1""#, #""2""#, #""10""#, #""01""#, #""-1""#,
            #""4294967294""#, #""4294967295""#, #""\u0061""#, #""\u0031""#, #""é""#, #""e\u0301""#, #""\u00e9""#,
            #""\ud800""#, #""\ud801""#, #""""#, #""__proto__""#, #""abcdefgh""#, #""abcdefghi""#, #""a\\b""#, #""a\b""#,
        ])
    }

    private mutating func number() -> String {
        switch random.int(0...4) {
        case 0: return "\(random.int(-1000...1000))"
        case 1:
            return random.pick([
                "-0", "0.0", "1e3", "1E+2", "1e400", "-1e400", "1e-400", "9007199254740993", "9223372036854775807",
                "-9223372036854775808", "9223372036854775808", "123456789012345678901234567890", "5e-324",
                "2.4703282292062327e-324", "2.4703282292062328e-324", "1.7976931348623159e308", "1e23", "8.5e22", "1.0",
                "01", "-", "1.", ".5", "+1", "1e", "1e+", "0x1", "-01", "1.e1", "NaN", "Infinity",
            ])
        case 2: return "\(Double(bitPattern: random.next()))"
        default:
            var text = random.text(of: "0123456789", 1...(random.happens(20) ? 60 : 20))
            if random.happens(60) { text += "." + random.text(of: "0123456789", 1...20) }
            if random.happens(40) {
                text += random.pick(["e", "E"]) + random.pick(["", "-", "+"]) + "\(random.int(0...330))"
            }
            return random.pick(["", "-"]) + text
        }
    }

    private mutating func text() -> String {
        let parts = (0..<random.int(0...(random.happens(10) ? 30 : 5))).map { _ in
            random.pick([
                "a", "b", "0", "1", " ", "é", "一", "😀", "\u{7f}", "\u{2028}", "abcdefghijk", #"\n"#, #"\""#, #"\\"#,
                #"\/"#, #"\b"#, #"\f"#, #"\r"#, #"\t"#, #"\u0041"#, #"\u00e9"#, #"\uD83D"#, #"\ude00"#,
                #"\ud83d\ude00"#, #"\u0000"#, #"\uffff"#, random.happens(3) ? #"\x"# : "c",
                random.happens(3) ? "\u{1f}" : "d",
            ])
        }
        return "\"" + parts.joined() + "\""
    }

    /// The bytes with some of them changed, removed, repeated or cut off.
    private mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<random.int(1...3) where !bytes.isEmpty {
            let place = random.int(0...bytes.count - 1)
            switch random.int(0...4) {
            case 0: bytes[place] = UInt8(random.int(0...255))
            case 1: bytes.removeSubrange(place..<min(bytes.count, place + random.int(1...4)))
            case 2: bytes.insert(random.pick(Array(#","{}[]:\e10-."#.utf8)), at: place)
            case 3: bytes.removeSubrange(place...)
            default: bytes[place] = random.pick(bytes)
            }
        }
        return bytes
    }
}

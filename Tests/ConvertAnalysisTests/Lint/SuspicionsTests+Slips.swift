@testable import ConvertAnalysis
import ConvertECMAScript

extension SuspicionsTests {
    /// Values that are written as other programs have them, and patterns with a slip.
    static let slips = [
        Suspicion(.literalPattern, "equals", "caf&eacute;", lost: "caf\u{E9}", matched: "caf&eacute;"),
        Suspicion(.literalPattern, "equals", "caf&#233;", lost: "caf\u{E9}", matched: "caf&#233;"),
        Suspicion(.literalPattern, "equals", "it&#x27;s", lost: "it's", matched: "it&#x27;s"),
        Suspicion(.literalPattern, "equals", "10 &euro;", lost: "10 \u{20AC}", matched: "10 &euro;"),
        Suspicion(.literalPattern, "contains", "a &ndash; b", lost: "a \u{2013} b"),
        Suspicion(.literalPattern, "isIn", "AT&amp;T|Verizon", lost: "at&t", matched: "at&amp;t"),
        Suspicion(.literalPattern, "isIn", ["at&amp;t", "verizon"], lost: "at&t", matched: "at&amp;t"),
        Suspicion(.literalPattern, "regexMatches", "^R&amp;D$", lost: "r&d", matched: "r&amp;d"),
        Suspicion(.literalPattern, "equals", "{country}"), Suspicion(.literalPattern, "equals", "%COUNTRY%"),
        Suspicion(.literalPattern, "equals", "$COUNTRY"), Suspicion(.literalPattern, "equals", "__COUNTRY__"),
        Suspicion(.literalPattern, "equals", "TODO"), Suspicion(.literalPattern, "equals", "TBD"),
        Suspicion(.literalPattern, "isIn", "de|CHANGEME"), Suspicion(.literalPattern, "equals", "changeme"),
        Suspicion(.literalPattern, "startsWith", "https://{{host}}/"),
        Suspicion(.literalPattern, "contains", "/users/{id}/"),
        Suspicion(.literalPattern, "regexMatches", "^https://{{host}}/"),
        Suspicion(.literalPattern, "equals", "undefined"), Suspicion(.literalPattern, "isIn", "null|de"),
        Suspicion(.literalPattern, "equals", "NaN"), Suspicion(.literalPattern, "equals", "[object Object]"),
        Suspicion(.literalPattern, "equals", "shop%", lost: "shop", matched: "shop%"),
        Suspicion(.literalPattern, "equals", "%@shop.com", lost: "@shop.com"),
        Suspicion(.literalPattern, "startsWith", "/{de,at}/", lost: "/de/", matched: "/{de,at}/"),
        Suspicion(.literalPattern, "equals", "new%20york", lost: "new york", matched: "new%20york"),
        Suspicion(.literalPattern, "startsWith", "https%3A%2F%2Fshop"),
        Suspicion(.outerBlanks, "equals", "pro\u{200E}", lost: "pro", matched: "pro\u{200E}"),
        Suspicion(.outerBlanks, "equals", "new  york", lost: "new york", matched: "new  york"),
        Suspicion(.outerBlanks, "regexMatches", " ^/shop", lost: "/shop"),
        Suspicion(.lookAlikeLetters, "equals", "pr\u{202E}o", lost: "pro", matched: "pr\u{202E}o"),
        Suspicion(.lookAlikeLetters, "equals", "pr\u{2066}o", lost: "pro", matched: "pr\u{2066}o"),
        Suspicion(.lookAlikeLetters, "equals", "pr\u{180E}o", lost: "pro", matched: "pr\u{180E}o"),
        Suspicion(.lookAlikeLetters, "equals", "new\u{A0}york", lost: "new york", matched: "new\u{A0}york"),
        Suspicion(.lookAlikeLetters, "equals", "e\u{2011}mail", lost: "e-mail", matched: "e\u{2011}mail"),
        Suspicion(.lookAlikeLetters, "equals", "don\u{2019}t", lost: "don't", matched: "don\u{2019}t"),
        Suspicion(.lookAlikeLetters, "equals", "cafe\u{301}", lost: "caf\u{E9}", matched: "cafe\u{301}"),
        Suspicion(.lookAlikeLetters, "isIn", ["cafe\u{301}", "bar"], lost: "caf\u{E9}", matched: "cafe\u{301}"),
        Suspicion(.listMissesItem, "isIn", .string((0..<300).map { "Item\($0)" }.joined(separator: "|"))),
        Suspicion(.lookAlikeLetters, "isIn", .string("p\u{430}y|" + (0..<300).map { "i\($0)" }.joined(separator: "|"))),
        Suspicion(.loosePattern, "regexMatches", "^https://www.shop.com/"),
        Suspicion(.loosePattern, "regexMatches", "shop.com"),
        Suspicion(.loosePattern, "regexMatches", "^/shop/*$", lost: "/shop/0"),
        Suspicion(.loosePattern, "regexMatches", "^\\d{2-3}$"), Suspicion(.loosePattern, "regexMatches", "^a{2, 3}$"),
        Suspicion(.loosePattern, "regexMatches", "^[^de|at]$"), Suspicion(.loosePattern, "regexMatches", "^(de,at)$"),
        Suspicion(.loosePattern, "regexMatches", "^/{de,at}/"),
        Suspicion(.loosePattern, "regexMatches", "^/p/d+$", lost: "/p/0", matched: "/p/d"),
        Suspicion(.newSyntaxPattern, "regexMatches", "(?<=/)shop"),
    ]

    /// Values and patterns that look like slips and are none.
    static let soundLookAlikes: [(String, JSValue)] = [
        ("equals", "R&D; sales & more;"), ("equals", "&c;"), ("equals", "{1}"), ("equals", "50%"),
        ("equals", "null and void"), ("contains", "%2x"), ("equals", "todo"), ("equals", "$99"), ("equals", "US$"),
        ("regexMatches", "^www\\.shop\\.com$"), ("regexMatches", "^/shop/?$"), ("regexMatches", "^/.*$"),
        ("regexMatches", "^\\d{2,3}$"), ("regexMatches", "[^ab]"), ("regexMatches", "[^a|b]"),
        ("regexMatches", "add+"), ("regexMatches", "index.php"), ("regexMatches", "foo.bar"),
        ("regexMatches", "a.*de"), ("regexMatches", "(a|b),c"), ("regexMatches", "^\\w+@shop\\.de$"),
        ("equals", "{3F2504E0-4F89-11D3-9A0C-0305E82C3301}"), ("equals", "\u{5E9}\u{200F}\u{5DC}"),
        ("equals", "\u{E9}t\u{E9}"), ("isIn", "none|nil"), ("startsWith", "__x"),
    ]
}

@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// Values, patterns and names in a notation that stands for itself.
struct NearVariantsTests {
    private func findings(_ key: String, _ matchType: String, _ value: JSValue, negated: Bool = false) throws
        -> [LintFinding]
    {
        let leaf = Configs.leaf(key, matchType, value, negated: negated)
        return try ConfigLint().findings(in: Configs.data(Configs.audienceConfig(Configs.all(leaf))))
    }

    static let negations: [String] = [
        "!de", "! de", "!(de)", "!\"de\"", "\u{AC}de", "-de", "not de", "NOT de", "Not de", "not:de", "not(de)",
        "is not de", "isn't de", "except de", "all but de", "other than de", "nicht de", "!==de",
    ]

    @Test(arguments: negations, [false, true])
    func aNegationInAValueStandsForItself(value: String, isNegated: Bool) throws {
        let found = try findings("country", "equals", .string(value), negated: isNegated)
            .first { $0.severity == .suspicious }
        #expect(found?.code == .literalPattern && found?.witness != nil)
        #expect(found?.edit == ConditionEdit(Self.condition("equals", "de", negated: true), isNegated: isNegated))
    }

    private static func condition(_ matchType: String, _ value: JSValue, negated: Bool = false) -> RuleCondition {
        RuleCondition(key: "country", matchType: matchType, value: value, negation: negated)
    }

    @Test func negationsInAListStandForThemselves() throws {
        let all = try findings("country", "isIn", "!de|!at").first { $0.severity == .suspicious }
        #expect(all?.edit == ConditionEdit(Self.condition("isIn", "de|at", negated: true), isNegated: false))
        let array = try findings("country", "isIn", ["not de", "not at"]).first { $0.severity == .suspicious }
        #expect(array?.edit == ConditionEdit(Self.condition("isIn", ["de", "at"], negated: true), isNegated: false))
        let one = try findings("country", "isIn", "de|!at").first { $0.severity == .suspicious }
        #expect(one?.code == .literalPattern && one?.edit == nil)
    }

    @Test(arguments: ["=>18", "=<18", "===18"])
    func aSignOfComparisonStandsForItself(value: String) throws {
        #expect(try findings("age", "equals", .string(value)).contains { $0.code == .literalPattern })
    }

    static let brackets: [(String, [JSValue], [JSValue])] = [
        ("[de]", ["de"], ["[de]"]), ("(de)", ["de"], ["(de)"]), ("<de>", ["de"], ["<de>"]), ("[\"de\"]", ["de"], ["d"]),
        ("['de']", ["de"], ["'de'"]), ("[de, at]", ["de", "at"], ["de, at"]), ("['de', 'at']", ["at"], ["'at'"]),
        ("(de|at)", ["de", "at"], ["(de|at)"]), ("{de, at}", ["de", "at"], ["{de, at}"]), ("`de`", ["de"], ["`de`"]),
        ("\u{AB}de\u{BB}", ["de"], ["\u{AB}de\u{BB}"]),
    ]

    @Test(arguments: brackets.indices)
    func bracketsAroundAValueStandForThemselves(index: Int) throws {
        let (value, meant, others) = Self.brackets[index]
        let found = try findings("country", "equals", .string(value)).first { $0.severity == .suspicious }
        let edit = try #require(found?.edit, "\(value)")
        let condition = RuleCondition(
            key: "country", matchType: edit.matchType, value: edit.value, negation: edit.isNegated)
        let rules = TriedRules([RuleGroup(clauses: [[condition]])], .standard)
        for value in meant { #expect(rules.areMet(by: ["country": value])) }
        for value in others { #expect(!rules.areMet(by: ["country": value])) }
    }

    /// Values of analytics services and states.
    @Test(arguments: [
        ("source", "(direct)"), ("medium", "(none)"), ("utm_source", "(not set)"), ("p", "[EU]"), ("p", "[1,2]"),
        ("p", "[\"pro\"]"), ("p", "(de)"), ("status", "not started"), ("plan", "not set"), ("p", "not de"),
        ("state", "not verified"), ("reply", "No"), ("command", "!help"), ("price", "-5"), ("p", "NOT FOUND"),
        ("title", "[Sale]"), ("title", "Not Found"), ("plan", "notebook"), ("p", "except de"), ("score", "\u{2013}"),
    ])
    func valuesOfAppsAreNotSuspected(key: String, value: String) throws {
        let found = try findings(key, "equals", .string(value)).filter { $0.severity == .suspicious }
        #expect(found.isEmpty, "\(found)")
    }

    /// Another condition says that the text is a value of the attribute.
    @Test func bracketsAroundAKnownValueAreSuspected() throws {
        let rules = Configs.rules([
            [[Configs.leaf("p", "equals", "gold")]], [[Configs.leaf("p", "equals", "[gold]")]],
        ])
        let found = try ConfigLint().findings(in: Configs.data(Configs.audienceConfig(rules)))
        #expect(found.contains { $0.code == .literalPattern })
    }

    static let signs: [(String, String)] = [
        ("pro\u{2013}plus", "pro-plus"), ("pro\u{2014}plus", "pro-plus"), ("pro\u{2010}plus", "pro-plus"),
        ("pro\u{2212}plus", "pro-plus"), ("en\u{2013}US", "en-US"), ("SKU\u{2013}12", "SKU-12"), ("\u{2212}5", "-5"),
        ("/new\u{2013}checkout/1", "/new-checkout/1"), ("shop\u{2044}cart", "shop/cart"), ("o\u{B4}neil", "o'neil"),
        ("user\u{FF20}example", "user@example"), ("a\u{FF3F}b", "a_b"),
    ]

    @Test(arguments: signs.indices)
    func signsThatLookLikeThoseOnAKeyboardAreSuspected(index: Int) throws {
        let (value, plain) = Self.signs[index]
        let found = try findings("p", "equals", .string(value)).first { $0.code == .lookAlikeLetters }
        #expect(found?.edit?.value == .string(plain), "\(value)")
        // The message shows which sign it is.
        #expect(found?.message.contains("\\u") == true)
    }

    @Test(arguments: [
        "Paris\u{2013}Nice", "2019\u{2013}2024", "10\u{2013}20", "pro \u{2013} plus", "Bose\u{2013}Einstein",
        "new york\u{2013}london", "A\u{2013}Z", "\u{43E}\u{431}\u{2BC}\u{454}\u{43A}\u{442}",
        "\u{30AB}\u{FF1A}\u{30AB}",
    ])
    func signsOfTypographyAreNotSuspected(value: String) throws {
        let found = try findings("p", "equals", .string(value)).filter { $0.severity == .suspicious }
        #expect(found.isEmpty, "\(found)")
    }

    @Test func aDashInANameIsSuspected() throws {
        let found = try findings("first\u{2013}name", "equals", "a").first { $0.code == .lookAlikeLetters }
        #expect(found?.remedy == "Write 'first-name'.")
    }

    @Test(arguments: [
        (".*.pdf", ".*\\.pdf"), (".+.pdf$", ".+\\.pdf$"), ("^/docs/[a-z]+.html?$", "^/docs/[a-z]+\\.html?$"),
        ("^.*.(jpg|png)$", "^.*\\.(jpg|png)$"), ("/index.php$", "/index\\.php$"), (".pdf$", "\\.pdf$"),
        ("(.*.pdf|.*.docx)", "(.*\\.pdf|.*\\.docx)"), ("^10.0.0.1$", "^10\\.0\\.0\\.1$"), ("^2.10.3", "^2\\.10\\.3"),
    ])
    func aDotBeforeAnExtensionMatchesAnything(pattern: String, meant: String) throws {
        let found = try findings("p", "regexMatches", .string(pattern)).first { $0.code == .loosePattern }
        #expect(found?.edit?.value == .string(meant) && found?.contrast != nil)
    }

    @Test(arguments: [
        "index.php", "foo.bar", ".*\\.pdf", "^/a.*$", "\\.(jpg|png)$", "a.b", ".pdfs$", "^[^.]+\\.html$", "1.5",
        "next.js",
    ])
    func otherDotsAreNotSuspected(pattern: String) throws {
        let found = try findings("p", "regexMatches", .string(pattern)).filter { $0.severity == .suspicious }
        #expect(found.isEmpty, "\(found)")
    }

    @Test(arguments: [
        "{country}", "{{country}}", "${country}", "{{ visitor.country }}", "%country%", "<country>", "[country]",
        "\"country\"", "'country'", "`country`", "$country", ":country", ".country", "country:", "country=",
        "country()",
        "visitor.country", "attributes.country", "visitor.attributes.country", "visitorProperties.country", "$.country",
        "attributes['country']", "attributes[\"country\"]", "visitor[country]", "get('country')", "visitor->country",
        "visitor?.country", "this.country", "custom_attributes.country",
    ])
    func aNameInANotationIsSuspected(name: String) throws {
        let found = try findings(name, "equals", "de").filter {
            $0.code == .readOtherwise && $0.severity == .suspicious
        }
        #expect(found.map(\.remedy) == ["Write 'country', if that attribute is meant."])
        #expect(found.first?.witness?.attributes["country"] == "de" && found.first?.contrast != nil)
    }

    @Test(arguments: [
        "country", "user.country", "$browser", "$initial_referrer", "utm.source", "page.url", "items[0].id", "tags[]",
        "@type", "device.os", "is_member?", "country-code", "first name", "a:b", "$", "x", "#1", "{}", "5%",
    ])
    func otherNamesAreNotSuspected(name: String) throws {
        let found = try findings(name, "equals", "de").filter { $0.severity == .suspicious }
        #expect(found.isEmpty, "\(found)")
    }

    /// `user.country` beside `country`, and names with `$` that are a habit.
    @Test func otherNamesDecideAboutACommonNotation() throws {
        func paths(_ names: String...) throws -> [String] {
            let rules = Configs.rules(names.map { [[Configs.leaf($0, "equals", "de")]] })
            return try ConfigLint().findings(in: Configs.data(Configs.audienceConfig(rules)))
                .filter { $0.severity == .suspicious }.map(\.path)
        }
        let second = ["$.audiences[0].rules.OR[1].AND[0].OR_WHEN[0].key"]
        #expect(try paths("country", "user.country") == second)
        #expect(try paths("country", "@country") == second)
        #expect(try paths("$store", "$loyalty", "$basket").isEmpty)
    }
}

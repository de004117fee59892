@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// Remedies are applied as they are printed: they end the finding, and mean what the author meant.
struct RemediesTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        let matchType: String
        let value: JSValue
        /// Values of visitors whom the author meant, and of others.
        let meant: [JSValue]
        let others: [JSValue]

        init(_ matchType: String, _ value: JSValue, meant: [JSValue], others: [JSValue]) {
            self.matchType = matchType
            self.value = value
            self.meant = meant
            self.others = others
        }

        var testDescription: String { "\(matchType) \(ECMAScript.jsonText(of: value))" }
    }

    static let lists = [
        Mistake("isIn", "CA, US", meant: ["CA", "us"], others: ["CA, US", "de"]),
        Mistake("isIn", "DE|AT", meant: ["DE", "at"], others: ["D"]),
        Mistake("isIn", ["DE", "AT"], meant: ["DE", "at"], others: ["DE,AT"]),
        Mistake("isIn", ["de ", "at"], meant: ["de", "at"], others: ["de "]),
        Mistake("isIn", "ca,us", meant: ["ca", "us"], others: ["ca,us"]),
        Mistake("isIn", "ca,us|de", meant: ["ca", "us", "de"], others: ["ca,us"]),
        Mistake("isIn", "de||at", meant: ["de", "at"], others: [""]),
        Mistake("isIn", "\"de\"|\"at\"", meant: ["de", "at"], others: ["\"de\""]),
        Mistake("isIn", "[de|at]", meant: ["de", "at"], others: ["[de"]),
        Mistake("isIn", "{de|at}", meant: ["de", "at"], others: ["at}"]),
        Mistake("isIn", "[\"de\",\"at\"]", meant: ["de", "at"], others: ["a"]),
        Mistake("isIn", "de or at", meant: ["de", "at"], others: ["de or at"]),
        Mistake("isIn", "de OR at", meant: ["de", "at"], others: ["de or at", "de OR at"]),
        Mistake("isIn", ["de|at", "ch"], meant: ["de", "at", "ch"], others: ["d"]),
        Mistake("isIn", "*", meant: ["de", 5], others: []),
        Mistake("isIn", ">=18", meant: [18, "30"], others: [17]),
        Mistake("isIn", "(de|at)", meant: ["de", "at"], others: ["(de", "dea"]),
        Mistake("isIn", "^de|at$", meant: ["de", "at"], others: ["den", "bat"]),
        Mistake("isIn", "de.*|at", meant: ["de", "den", "at"], others: ["bat", "ate"]),
        Mistake("isIn", "de*|at", meant: ["den", "at"], others: ["ate"]),
    ]

    static let texts = [
        Mistake("equals", "de|at", meant: ["de", "AT"], others: ["de|at", "den"]),
        Mistake("equals", "pro,team", meant: ["pro", "Team"], others: ["pro,team"]),
        Mistake("equals", "pro or team", meant: ["pro", "team"], others: ["pro or team"]),
        Mistake("equals", ["de", "at"], meant: ["de", "at"], others: ["den"]),
        Mistake("contains", ["de", "a.t"], meant: ["xde", "a.tx"], others: ["abt"]),
        Mistake("endsWith", ".com|.de", meant: ["shop.com", "shop.de"], others: ["shopcom", ".com/"]),
        Mistake("startsWith", "/a|/b", meant: ["/a1", "/b"], others: ["x/a"]),
        Mistake("startsWith", "/shop/*", meant: ["/shop/", "/shop/1"], others: ["/shop"]),
        Mistake("endsWith", "*.html", meant: ["/a.html"], others: ["/a.htm"]),
        Mistake("contains", "*shop*", meant: ["/shop/"], others: ["/sho"]),
        Mistake("equals", "/shop/*", meant: ["/shop/1"], others: ["x/shop/1"]),
        Mistake("equals", "*.de", meant: ["shop.de"], others: ["shop.de/"]),
        Mistake("equals", "/shop/*/cart", meant: ["/shop/1/cart"], others: ["/shop/1/carts"]),
        Mistake("startsWith", "/a/*/b", meant: ["/a/1/bc"], others: ["x/a/1/b"]),
        Mistake("contains", "%shop%", meant: ["/shop/"], others: ["/sho"]),
        Mistake("equals", "%shop%", meant: ["/shop/"], others: ["/sho"]),
        Mistake("equals", "shop%", meant: ["shop1"], others: ["1shop"]),
        Mistake("matches", "shop%", meant: ["shop1"], others: ["1shop"]),
        Mistake("equalsNumber", "%.de", meant: ["shop.de"], others: [".det"]),
        Mistake("startsWith", "/{de,at}/", meant: ["/de/x", "/at/"], others: ["/fr/"]),
        Mistake("equals", ">=18", meant: [18, 19], others: [17]),
        Mistake("equals", "<18", meant: [17], others: [18]), Mistake("equals", ">18", meant: [19], others: [18]),
        Mistake("equals", "!=de", meant: ["at"], others: ["de"]),
        Mistake("equals", "=de", meant: ["de"], others: ["at"]),
        Mistake("equals", "^/shop/", meant: ["/shop/1"], others: ["x/shop/"]),
        Mistake("equals", " pro ", meant: ["pro"], others: [" pro "]),
        Mistake("equals", "'pro'", meant: ["pro"], others: ["'pro'"]),
        Mistake("equals", "AT&amp;T", meant: ["AT&T"], others: ["AT&amp;T"]),
        Mistake("equals", "M\u{C3}\u{BC}nchen", meant: ["M\u{FC}nchen"], others: ["Munchen"]),
        Mistake("equals", "p\u{430}ypal", meant: ["paypal"], others: ["p\u{430}ypal"]),
    ]

    static let patterns = [
        Mistake("regexMatches", "\\\\bfoo\\\\b", meant: ["a foo b"], others: ["food"]),
        Mistake("regexMatches", "foo\\Kbar", meant: ["foobar"], others: ["fookbar"]),
        Mistake("regexMatches", "^\\e$", meant: ["\u{1B}"], others: ["e", ""]),
        Mistake("regexMatches", "^a\\Xb$", meant: ["aab"], others: ["ab"]),
        Mistake("regexMatches", "(?x) a b # both", meant: ["ab"], others: ["a b"]),
        Mistake("regexMatches", "(?i)^pro$", meant: ["PRO"], others: ["prof"]),
        Mistake("regexMatches", "^\\(a\\|b\\)$", meant: ["a", "b"], others: ["(a|b)"]),
        Mistake("regexMatches", "^ de$", meant: ["de"], others: [" de"]),
        Mistake("regexMatches", "^(a)\\g1$", meant: ["aa"], others: ["ag1"]),
        Mistake("regexMatches", "^(a|b)\\g{1}0$", meant: ["aa0"], others: ["ab0"]),
        Mistake("regexMatches", "\\Aabc\\Z", meant: ["abc"], others: ["aabcz"]),
        Mistake("regexMatches", "^\\p{L}+$", meant: ["ab"], others: ["p{L}"]),
        Mistake("regexMatches", "^a|b|c$", meant: ["a", "b", "c"], others: ["xb", "ax"]),
        Mistake("regexMatches", "^[de|at]$", meant: ["de", "at"], others: ["d"]),
        Mistake("regexMatches", "/page?id=1", meant: ["/page?id=1"], others: ["/pagid=1"]),
        Mistake("regexMatches", "^shop.com$", meant: ["shop.com"], others: ["shopxcom"]),
        Mistake("regexMatches", "^/shop/*$", meant: ["/shop/1"], others: ["x/shop/"]),
        Mistake("regexMatches", "^/p/d+$", meant: ["/p/12"], others: ["/p/d"]),
        Mistake("regexMatches", "^[^de|at]$", meant: ["fr"], others: ["de"]),
        Mistake("regexMatches", "^(de,at)$", meant: ["de", "at"], others: ["de,at"]),
        Mistake("regexMatches", "^\\x{41}\\x{2E}$", meant: ["A."], others: ["AB"]),
    ]

    static let operators = [
        Mistake("notEquals", "de", meant: ["at"], others: ["de"]), Mistake("$ne", "de", meant: ["at"], others: ["de"]),
        Mistake("NOT_IN", "de|at", meant: ["fr"], others: ["de", "at"]),
        Mistake("in", ["de", "at"], meant: ["de", "at"], others: ["fr"]),
        Mistake("doesNotContain", "shop", meant: ["a"], others: ["/shop/"]),
        Mistake("STR_STARTS_WITH", "/a", meant: ["/ab"], others: ["b/a"]),
        Mistake("greaterThan", 5, meant: [6], others: [5]), Mistake("$gte", 5, meant: [5, 6], others: [4]),
        Mistake("lessThanOrEqual", 5, meant: [5], others: [6]), Mistake("NUM_LT", 5, meant: [4], others: [5]),
        Mistake("exact", "de", meant: ["de"], others: ["den"]),
        Mistake("substring", "shop", meant: ["/shop"], others: ["a"]),
        Mistake("$regex", "^a$", meant: ["a"], others: ["ab"]), Mistake("isSet", "", meant: ["a"], others: [""]),
    ]

    @Test(arguments: lists + texts + patterns + operators, [false, true])
    func theRemedyEndsTheFindingAndMeansWhatWasMeant(mistake: Mistake, isNegated: Bool) throws {
        let found = try findings(mistake.matchType, mistake.value, isNegated)
        let finding = try #require(found.first { $0.edit != nil }, "\(found)")
        let edit = try #require(finding.edit)
        if let value = edit.value { #expect(finding.remedy.contains(ECMAScript.jsonText(of: value))) }
        if edit.matchType != mistake.matchType { #expect(finding.remedy.hasPrefix("Use \(edit.matchType) ")) }
        #expect(finding.remedy.contains("\(edit.isNegated) as negated") == (edit.isNegated != isNegated))

        let left = try findings(edit.matchType, edit.value, edit.isNegated)
        #expect(!left.contains { $0.code == finding.code || $0.severity == .suspicious }, "\(finding.remedy): \(left)")
        let condition = RuleCondition(
            key: "p", matchType: edit.matchType, value: edit.value, negation: edit.isNegated)
        let rules = TriedRules([RuleGroup(clauses: [[condition]])], .standard)
        for value in mistake.meant {
            #expect(rules.areMet(by: ["p": value]) != isNegated, "\(finding.remedy): \(value)")
        }
        for value in mistake.others {
            #expect(rules.areMet(by: ["p": value]) == isNegated, "\(finding.remedy): \(value)")
        }
    }

    private func findings(_ matchType: String, _ value: JSValue?, _ isNegated: Bool) throws -> [LintFinding] {
        let leaf = Configs.leaf("p", matchType, value, negated: isNegated)
        return try ConfigLint().findings(in: Configs.data(Configs.audienceConfig(Configs.all(leaf))))
            .filter { $0.path.hasPrefix(SeededDefectsTests.leafPath) }
    }

    @Test(arguments: [("and", "all"), ("AND", "all"), ("every", "all"), ("or", "any"), ("ALL", "all")])
    func howAudiencesMatchIsNotTurnedIntoItsOpposite(word: String, meant: String) throws {
        let config = SeededDefectsTests.experience(["settings": ["matching_options": ["audiences": .string(word)]]])
        let finding = try ConfigLint().findings(in: Configs.data(config)).first { $0.code == .readOtherwise }
        #expect(finding?.remedy.hasPrefix("Did you mean '\(meant)'?") == true)
    }

    /// A construct that JavaScript's regular expressions do not have, and nothing else.
    @Test(arguments: ["\\K", "(?i)", "(?#note)"])
    func noRemedyHasAHole(pattern: String) throws {
        let found = try findings("regexMatches", .string(pattern), false)
        let finding = try #require(found.first { $0.code == .foreignPattern || $0.code == .invalidPattern })
        #expect(finding.edit == nil && !finding.remedy.contains("Write ,") && !finding.remedy.contains("Write \"\""))
    }
}

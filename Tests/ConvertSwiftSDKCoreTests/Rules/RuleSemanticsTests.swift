import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

/// Each question on which the documents and the reference disagree, under each of the answers.
struct RuleSemanticsTests {
    @Test(arguments: [(.javaScript, true), (.standard, true), (.flat, false)] as [(RuleSemantics, Bool)])
    func leavesOfOneClauseAreAlternativesUnlessFlat(semantics: RuleSemantics, expected: Bool) throws {
        let graph = rules([leaf("a", "equals", "no"), leaf("b", "equals", "yes")])
        #expect(try verdict(graph, ["a": "yes", "b": "yes"], semantics).isMatch == expected)
    }

    @Test(arguments: RuleSemantics.allCases)
    func clausesOfOneBlockMustAllHold(semantics: RuleSemantics) throws {
        let graph = rules([leaf("a", "equals", "no")], [leaf("b", "equals", "yes")])
        #expect(try verdict(graph, ["a": "yes", "b": "yes"], semantics) == .notMatched)
    }

    @Test(arguments: RuleSemantics.allCases)
    func blocksAreAlternatives(semantics: RuleSemantics) throws {
        let graph: JSValue = ["OR": [block([[leaf("a", "equals", "no")]]), block([[leaf("b", "equals", "yes")]])]]
        #expect(try verdict(graph, ["a": "yes", "b": "yes"], semantics) == .matched)
    }

    @Test(arguments: RuleSemantics.allCases)
    func flatAloneComparesAnAbsentAttributeAsEmptyText(semantics: RuleSemantics) {
        #expect(holds("equals", "", attribute: nil, semantics) == (semantics == .flat))
    }

    @Test(arguments: RuleSemantics.allCases)
    func flatAloneNegatesTheComparisonOfAnAbsentAttribute(semantics: RuleSemantics) {
        #expect(holds("equals", "x", attribute: nil, negated: true, semantics) == (semantics == .flat))
    }

    @Test(arguments: RuleSemantics.allCases)
    func javaScriptAloneLetsNoNotExistsSeeAnAbsentAttribute(semantics: RuleSemantics) {
        #expect(holds("not_exists", .null, attribute: nil, semantics) == (semantics != .javaScript))
    }

    @Test(arguments: RuleSemantics.allCases)
    func javaScriptAloneNeverLooksUpTheRuleTypeOfALeafWithoutKey(semantics: RuleSemantics) throws {
        let graph = rules([leaf(nil, "equals", "de", type: "country")])
        #expect(try verdict(graph, ["country": "DE"], semantics).isMatch == (semantics != .javaScript))
    }

    @Test(arguments: [7, true, false, [], [:], ["country"]] as [JSValue], RuleSemantics.allCases)
    func aKeyThatIsNoTextNeverMatchesThoughItsRuleTypeWould(key: JSValue, semantics: RuleSemantics) throws {
        for negated in [false, true] {
            var wire = try #require(leaf(nil, "equals", "de", negated: negated, type: "country").objectValue)
            wire["key"] = key
            for attributes in [["country": "de"], ["country": "fr"], [:]] as [JSObject] {
                #expect(try verdict(rules([.object(wire)]), attributes, semantics) == .notMatched)
            }
        }
    }

    @Test(arguments: RuleSemantics.allCases)
    func aNullKeyIsIgnored(semantics: RuleSemantics) throws {
        var wire = try #require(leaf(nil, "equals", "de", type: "country").objectValue)
        wire["key"] = .null
        let verdict = try verdict(rules([.object(wire)]), ["country": "de"], semantics)
        #expect(verdict.isMatch == (semantics != .javaScript))
    }

    @Test(arguments: RuleSemantics.allCases)
    func aLeafWithKeyIsNeverLookedUpUnderItsRuleType(semantics: RuleSemantics) throws {
        let graph = rules([leaf("place", "equals", "de", type: "country")])
        #expect(try verdict(graph, ["country": "de"], semantics) == .notMatched)
    }

    @Test(arguments: RuleSemantics.allCases)
    func standardAloneKnowsMobileMatchers(semantics: RuleSemantics) throws {
        let graph = rules([leaf("plan", "eq", ["pro"])])
        #expect(try verdict(graph, ["plan": "Pro"], semantics).isMatch == (semantics == .standard))
    }

    @Test(arguments: RuleSemantics.allCases)
    func javaScriptAloneAsksForLocationProperties(semantics: RuleSemantics) throws {
        let manager = try ExperienceManager(["experiences": [experience("e")]], semantics)
        let reason = manager.decide("e") { $0.locationProperties = nil }.reason
        #expect(reason == (semantics == .javaScript ? .missingLocationProperties : nil))
    }

    @Test(arguments: RuleSemantics.allCases)
    func ignoredLocationPropertiesAreNotAskedFor(semantics: RuleSemantics) throws {
        let manager = try ExperienceManager(["experiences": [experience("e")]], semantics)
        let decision = manager.decide("e") { options in
            options.locationProperties = nil
            options.ignoresLocationProperties = true
        }
        #expect(decision.variation != nil)
    }

    @Test(arguments: RuleSemantics.allCases)
    func javaScriptAloneThrowsWhereSettingsAreMissingAndAudiencesAttached(semantics: RuleSemantics) throws {
        let members: JSObject = [
            "audiences": [audience("a", asking: "x"), audience("b", asking: "y")],
            "experiences": [experience("e", ["audiences": ["a", "b"]], without: "settings")],
        ]
        let decision = try ExperienceManager(members, semantics).decide("e", ["y": "yes"])
        #expect(decision.reason == (semantics == .javaScript ? .missingSettings : nil))
    }

    @Test(arguments: RuleSemantics.allCases)
    func javaScriptAloneIgnoresThatKeysAreCaseInsensitive(semantics: RuleSemantics) throws {
        let graph = rules([leaf("Plan", "equals", "pro")])
        let verdict = try verdict(graph, ["pLAN": "pro"], semantics, keysAreCaseSensitive: false)
        #expect(verdict.isMatch == (semantics != .javaScript))
    }

    @Test(arguments: RuleSemantics.allCases)
    func keysAreCaseSensitiveUnlessSaidOtherwise(semantics: RuleSemantics) throws {
        #expect(try verdict(rules([leaf("Plan", "equals", "pro")]), ["plan": "pro"], semantics) == .notMatched)
    }

    @Test(arguments: RuleSemantics.allCases)
    func javaScriptAloneNeverHandsOutAVariationWhoseIDIsANumber(semantics: RuleSemantics) throws {
        let numbered = experience("e", ["variations": [["id": 7, "traffic_allocation": 100]]])
        let decision = try ExperienceManager(["experiences": [numbered]], semantics).decide("e")
        #expect(decision.reason == (semantics == .javaScript ? .variationNotFound : nil))
    }
}

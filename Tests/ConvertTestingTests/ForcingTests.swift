import ConvertTesting
import Testing

struct ForcingTests {
    let sdk = ConvertSDK(testing: Shop.project)
    var shop: Shop { Shop(convert: sdk) }

    @Test func aForcedVariationIsSeenWhateverTheRulesSay() {
        #expect(shop.page("v1").variation == nil)
        sdk.force("checkout", "v3")
        #expect(shop.page("v1").variation == "v3")
        let decision = sdk.createContext(visitorID: "v2").decide("checkout")
        #expect(decision.variation?.source == .forced)
        sdk.endForcing()
        #expect(shop.page("v1").variation == nil)
    }

    private enum Page: String, ConvertKey { case checkout }
    private enum Flag: String, ConvertKey { case expressPay = "express-pay" }
    private enum Sale: String, ConvertKey { case purchase }

    @Test func keysOfTheAppsOwnTypesAreTaken() {
        let project = TestProject {
            Experience(Page.checkout) { Variation("green", features: [Flag.expressPay: ["limit": 3]]) }
            Feature(Flag.expressPay, variables: ["limit": .integer])
            Goal(Sale.purchase)
        }
        let sdk = ConvertSDK(testing: project)
        sdk.force(Page.checkout, "green")
        sdk.disable(Flag.expressPay, visitorID: "v2")
        #expect(sdk.createContext(visitorID: "v1").feature(Flag.expressPay).integer("limit") == 3)
        #expect(!sdk.createContext(visitorID: "v2").isFeatureEnabled(Flag.expressPay))
        sdk.createContext(visitorID: "v1").trackConversion(Sale.purchase)
        #expect(
            sdk.trackedEvents == [
                .exposure(Page.checkout, "green", visitorID: "v1"), .conversion(Sale.purchase, visitorID: "v1"),
            ])
    }

    @Test func aForcedVariationCarriesItsFeatures() {
        sdk.force("checkout", "v3")
        #expect(shop.page("v1").limit == 3)
        let context = sdk.createContext(visitorID: "v1")
        #expect(context.features().first { $0.key == "express-pay" }?.status == .enabled)
        #expect(context.decideAll().compactMap(\.variation).map(\.experienceKey) == ["checkout", "navigation"])
        #expect(context.decideAll().first?.variation?.variationKey == "v3")
        #expect(context.explain("checkout")?.variation == "v3")
    }

    @Test func forcingAppliesToExistingContexts() {
        let context = sdk.createContext(visitorID: "v1")
        #expect(context.decide("checkout").variation == nil)
        sdk.force("checkout", "v1")
        #expect(context.decide("checkout").variation?.variationKey == "v1")
        sdk.force("checkout", "v2")
        #expect(context.decide("checkout").variation?.variationKey == "v2", "in place of what was stored")
        #expect(context.visitorData.bucketing == ["checkout": "v2"])
    }

    @Test func aForcedFeatureIsOnOrOffWithItsVariables() {
        sdk.enable("express-pay", variables: ["limit": 50])
        sdk.force("checkout", "v3")
        #expect(shop.page("v1").limit == 50, "the feature's own answer counts before that of a variation")
        sdk.disable("express-pay")
        #expect(shop.page("v1").limit == nil)
        sdk.enable("gift-wrap")
        let context = sdk.createContext(visitorID: "v1")
        #expect(context.isFeatureEnabled("gift-wrap") && !context.isFeatureEnabled("express-pay"))
        let features = context.features()
        #expect(features.map(\.key) == ["express-pay", "gift-wrap"])
        #expect(features.map(\.status) == [.disabled, .enabled])
    }

    @Test func theNarrowerOneCounts() async {
        sdk.force("checkout", "v0")
        sdk.force("checkout", "v1", visitorID: "special")
        #expect(shop.page("v1").variation == "v0" && shop.page("special").variation == "v1")
        await withForced(.force("checkout", "v2"), .enable("gift-wrap")) {
            #expect(shop.page("special").variation == "v2")
            await withForced(.force("checkout", "v3")) {
                #expect(shop.page("special").variation == "v3")
                #expect(sdk.createContext(visitorID: "v").isFeatureEnabled("gift-wrap"))
                let child = await Task { shop.page("v1").variation }.value
                #expect(child == "v3", "the tasks that it begins see it too")
                let detached = await Task.detached { Shop(convert: sdk).page("v9").variation }.value
                #expect(detached == "v0")
            }
        }
        #expect(shop.page("special").variation == "v1")
        withForced(.force("checkout", "v4")) { #expect(shop.page("v1").variation == "v4") }
        sdk.endForcing(visitorID: "special")
        #expect(shop.page("special").variation == "v0")
    }

    @Test(.forced(.force("checkout", "v5"), .disable("express-pay")))
    func aTraitForcesForATest() {
        let page = shop.page("v1")
        #expect(page.variation == "v5" && page.limit == nil)
    }

    #if compiler(>=6.2)
    // In a process of its own, since what it forces reaches every test that runs meanwhile.
    @Test func anAnswerForcedEverywhereAppliesToEveryOfflineSDK() async {
        await #expect(processExitsWith: .success) {
            Forcing.everywhere(.force("navigation", "menu"), .enable("gift-wrap"))
            let online = ConvertSDK(config: Shop.project.config, configuration: .untracked)
            let variation = online.createContext(visitorID: "v").decide("navigation").variation?.source
            try #require(variation == .bucketed)
            for sdk in [ConvertSDK(testing: Shop.project), ConvertSDK(config: Shop.project.config, mode: .offline)] {
                let context = sdk.createContext(visitorID: "v")
                try #require(context.decide("navigation").variation?.source == .forced)
                try #require(context.isFeatureEnabled("gift-wrap"))
            }
            Forcing.endEverywhere()
            let later = ConvertSDK(testing: Shop.project).createContext(visitorID: "v")
            try #require(later.decide("navigation").variation?.source == .bucketed)
        }
    }
    #endif

    @Test func anOnlineSDKCannotBeForced() {
        let online = ConvertSDK(config: Shop.project.config, configuration: .untracked)
        online.force("checkout", "v1")
        withForced(.force("checkout", "v2")) {
            #expect(online.createContext(visitorID: "v").decide("checkout").variation == nil)
        }
    }

    @Test func anUnknownNameFailsTheTestAndDecidesAsIfNothingWereForced() {
        withKnownIssue {
            sdk.force("checkout", "v33")
        } matching: {
            $0.says("experience 'checkout' has no variation 'v33' to force; did you mean")
        }
        withKnownIssue {
            sdk.force("chekout", "v3")
        } matching: {
            $0.says("the config has no experience 'chekout'; did you mean 'checkout'?")
        }
        #expect(shop.page("v1").variation == nil)
    }

    @Test func anUnknownFeatureOrVariableFailsTheTest() {
        withKnownIssue {
            sdk.enable("express-pya")
        } matching: {
            $0.says("the config has no feature 'express-pya'; did you mean 'express-pay'?")
        }
        withKnownIssue {
            sdk.disable("gift")
        } matching: {
            $0.says("no feature 'gift'")
        }
        withKnownIssue {
            sdk.enable("express-pay", variables: ["limt": 3])
        } matching: {
            $0.says("feature 'express-pay' declares no variable 'limt'; did you mean 'limit'?")
        }
        withKnownIssue {
            sdk.enable("gift-wrap", variables: ["paper": "red"])
        } matching: {
            $0.says("feature 'gift-wrap' declares no variable 'paper'.")
        }
        withKnownIssue {
            sdk.enable("express-pay", variables: ["limit": "3"])
        } matching: {
            $0.says("variable 'limit' of feature 'express-pay' is declared as integer, and is enabled with \"3\"")
        }
    }

    @Test func aVariableIsOfTheDeclaredType() {
        let sdk = ConvertSDK(
            testing: TestProject {
                Feature(
                    "all", variables: ["b": .boolean, "i": .integer, "f": .float, "s": .string, "j": .json])
            })
        let (limit, name, none) = (3, "x", String?.none)
        sdk.enable("all", variables: ["b": true, "i": limit, "f": 1, "s": name, "j": ["x"]])
        sdk.enable("all", variables: ["b": .null, "i": 3.0, "f": 1.5, "s": "", "j": "text"])
        sdk.enable("all", variables: ["s": none])
        let wrong: [JSObject] = [["b": 1], ["i": 1.5], ["i": "1"], ["f": "1"], ["s": 1], ["s": ["x"]]]
        for variables in wrong {
            withKnownIssue {
                sdk.enable("all", variables: variables)
            } matching: {
                $0.says("is declared as")
            }
        }
    }

    @Test func aTaskCanForceAnswersOfAnotherProject() {
        withForced(.force("other-projects", "a"), .enable("other-projects-too")) {
            #expect(shop.page("v1").variation == nil)
        }
        withKnownIssue {
            withForced(.force("checkout", "v33")) { #expect(shop.page("v1").variation == nil) }
        } matching: {
            $0.says("experience 'checkout' has no variation 'v33'")
        }
        withKnownIssue {
            withForced(.enable("express-pay", variables: ["limt": 3])) { #expect(shop.page("v1").limit == nil) }
        } matching: {
            $0.says("declares no variable 'limt'")
        }
    }

    @Test func aDisabledFeatureIsNotGiven() {
        sdk.disable("express-pay")
        #expect(sdk.createContext(visitorID: "v1").feature("express-pay").disabledReason == .notGiven)
    }

    @Test func aVisitorReturnsWithWhatWasForcedBefore() {
        sdk.force("checkout", "v3", visitorID: "returning")
        sdk.createContext(visitorID: "returning").decide("checkout")
        sdk.endForcing()
        sdk.forgetTrackedEvents()
        let decision = sdk.createContext(visitorID: "returning", attributes: ["plan": "insider"]).decide("checkout")
        #expect(decision.variation?.variationKey == "v3" && decision.variation?.source == .stored)
        #expect(sdk.trackedEvents.isEmpty)
    }

    @Test func contextsKeepTheProjectThatTheyWereMadeOn() {
        let context = sdk.createContext(visitorID: "v1")
        sdk.replaceProject(with: TestProject { Experience("new") { Variation("only") } })
        #expect(context.decide("new").reason == .unknownExperience)
        #expect(context.decide("navigation").variation != nil)
        let later = sdk.createContext(visitorID: "v1")
        #expect(later.decide("new").variation?.variationKey == "only")
        #expect(later.decide("navigation").reason == .unknownExperience)
    }
}

extension SDKConfiguration {
    /// Of an SDK that is online and still sends nothing.
    fileprivate static var untracked: SDKConfiguration {
        var configuration = SDKConfiguration()
        configuration.isTrackingEnabled = false
        configuration.logLevel = .silent
        return configuration
    }
}

extension Issue {
    /// Whether it was recorded with a comment that contains `text`.
    func says(_ text: String) -> Bool { comments.contains { $0.rawValue.contains(text) } }
}

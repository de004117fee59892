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

    @Test func aForcedVariationCarriesItsFeatures() {
        sdk.force("checkout", "v3")
        #expect(shop.page("v1").limit == 3)
        let context = sdk.createContext(visitorID: "v1")
        #expect(context.features().first { $0.key == "express-pay" }?.status == .enabled)
        #expect(context.selectVariations().map(\.experienceKey) == ["checkout", "navigation"])
        #expect(context.decideAll().first?.variation?.variationKey == "v3")
        #expect(context.explain("checkout")?.variation == "v3")
    }

    @Test func itReachesContextsThatWereMadeBefore() {
        let context = sdk.createContext(visitorID: "v1")
        #expect(context.selectVariation("checkout") == nil)
        sdk.force("checkout", "v1")
        #expect(context.selectVariation("checkout")?.variationKey == "v1")
        sdk.force("checkout", "v2")
        #expect(context.selectVariation("checkout")?.variationKey == "v2", "in place of what was stored")
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
    @Test func whatIsForcedEverywhereReachesEveryOfflineSDK() async {
        await #expect(processExitsWith: .success) {
            Forcing.everywhere(.force("navigation", "menu"), .enable("gift-wrap"))
            let online = ConvertSDK(config: Shop.project.config, configuration: .untracked)
            let variation = online.createContext(visitorID: "v").selectVariation("navigation")?.source
            try #require(variation == .bucketed)
            for sdk in [ConvertSDK(testing: Shop.project), ConvertSDK(config: Shop.project.config, mode: .offline)] {
                let context = sdk.createContext(visitorID: "v")
                try #require(context.selectVariation("navigation")?.source == .forced)
                try #require(context.isFeatureEnabled("gift-wrap"))
            }
            Forcing.endEverywhere()
            let later = ConvertSDK(testing: Shop.project).createContext(visitorID: "v")
            try #require(later.selectVariation("navigation")?.source == .bucketed)
        }
    }
    #endif

    @Test func anOnlineSDKCannotBeForced() {
        let online = ConvertSDK(config: Shop.project.config, configuration: .untracked)
        online.force("checkout", "v1")
        withForced(.force("checkout", "v2")) {
            #expect(online.createContext(visitorID: "v").selectVariation("checkout") == nil)
        }
    }

    @Test func anUnknownNameDecidesAsIfNothingWereForced() {
        sdk.force("checkout", "v33")
        sdk.force("chekout", "v3")
        #expect(shop.page("v1").variation == nil)
    }

    @Test func contextsKeepTheProjectThatTheyWereMadeOn() {
        let context = sdk.createContext(visitorID: "v1")
        sdk.replaceProject(with: TestProject { Experience("new") { Variation("only") } })
        #expect(context.decide("new").reason == .unknownExperience)
        #expect(context.selectVariation("navigation") != nil)
        let later = sdk.createContext(visitorID: "v1")
        #expect(later.selectVariation("new")?.variationKey == "only")
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

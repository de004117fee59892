@testable import ConvertAnalysis
import ConvertECMAScript

/// Allocations that do not add up, and variations that no visitor gets.
extension SeededDefectsTests {
    static var arms: [Defect] {
        var defects: [Defect] = []
        defects.append(
            Defect(
                .allocationBelow, "$.experiences[0].variations",
                variations(Configs.variation("1", "a", 30), Configs.variation("2", "b", 30))))
        defects.append(
            Defect(
                .allocationAbove, "$.experiences[0].variations",
                variations(Configs.variation("1", "a", 80), Configs.variation("2", "b", 80))))
        defects.append(
            Defect(
                .allocationZero, "$.experiences[0].variations",
                variations(Configs.variation("1", "a", 0), Configs.variation("2", "b", 0))))
        defects.append(
            Defect(
                .allocationNegative, "$.experiences[0].variations[0].traffic_allocation",
                variations(Configs.variation("1", "a", -5), Configs.variation("2", "b", 100))))
        defects.append(
            Defect(
                .allocationUnreadable, "$.experiences[0].variations[0].traffic_allocation",
                variations(Configs.variation("1", "a", "half"), Configs.variation("2", "b", 50))))
        defects.append(
            Defect(
                .anchoredOverlap, "$.experiences[0].variations",
                variations(Configs.variation("1", "a", 80), Configs.variation("2", "b", 80), version: 12)))
        defects.append(
            Defect(
                .variationUnreachable, "$.experiences[0].variations[1]",
                variations(Configs.variation("1", "a", 100), Configs.variation("2", "b", 50))))
        defects.append(
            Defect(
                .variationUnreachable, "$.experiences[0].variations[1]",
                variations(Configs.variation("1", "a", 100), Configs.variation("2", "b", 0))))
        defects.append(
            Defect(
                .variationUnreachable, "$.experiences[0].variations[1]",
                variations(Configs.variation("1", "a", 100), Configs.variation("2", "b", 50, ["status": "stopped"]))))
        defects.append(
            Defect(.allocationZero, "$.experiences[0].variations", variations()))
        for allocation in [true, .null, " ", ["50"]] as [JSValue] {
            defects.append(
                Defect(
                    .allocationUnreadable, "$.experiences[0].variations[0].traffic_allocation",
                    variations(Configs.variation("1", "a", allocation), Configs.variation("2", "b", 50))))
        }
        return defects
    }
}

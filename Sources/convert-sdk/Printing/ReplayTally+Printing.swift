import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore

extension ReplayTally {
    /// Prints how many decisions went from which answer to which.
    func printRoutes() {
        let rows = sortedRoutes.map { route, count in
            // A feature's variables may be long.
            [
                route.name, (route.logged ?? "none").excerpt(), (route.found ?? "none").excerpt(), route.reason,
                "\(count)",
            ]
        }
        let unknowable = sortedUnknowable.map { subject, count in
            [subject.name, "any", "cannot be known", "withheld", "\(count)"]
        }
        let others = otherRouteCount > 0 ? [["others", "any", "any", "any", "\(otherRouteCount)"]] : []
        Console.printTable(
            [["EXPERIENCE OR FEATURE", "LOGGED", "NOW", "WHY", "DECISIONS"]] + rows + others + unknowable)
    }
}

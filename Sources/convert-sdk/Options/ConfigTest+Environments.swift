import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore

extension [ConfigTest] {
    /// Prints a warning about each environment of the tests that looks wrong, with the number of its tests. For tests
    /// without an environment, only if no visitor is eligible in the default one.
    func complainOfEnvironments(in config: ProjectConfig) {
        let counts = Dictionary(grouping: self) { $0.environment.map { PropertyKey($0) } }.mapValues(\.count)
        let ordered = counts.sorted { ($1.value, $0.key?.name ?? "") < ($0.value, $1.key?.name ?? "") }
        for (key, count) in ordered {
            let name = key?.name ?? ProjectConfig.defaultEnvironment
            guard let warning = config.warning(ofEnvironment: name), key != nil || warning.excludesAll else { continue }
            Console.complain(
                "warning: \(count.counted("test")): \(warning.description)\(warning.nearest.question)")
        }
    }
}

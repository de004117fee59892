import ConvertSwiftSDKCore

extension ProjectConfig.Experience {
    /// The environment that it runs in; `nil` if it runs in all of them, or in none.
    var environmentName: String? {
        if case .only(let name) = environment { name } else { nil }
    }

    /// The environment as a report names it: nothing if it runs in all of them.
    var environmentText: String {
        switch environment {
        case .anywhere: ""
        case .only(let name): name
        case .nowhere: ConfigDifference.Experience.nowhere
        }
    }
}

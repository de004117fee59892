internal import ConvertECMAScript
package import ConvertSwiftSDKCore

extension UnknownName {
    /// `did you mean 'NAME'?`, or what else to do if no name is near.
    package func remedy(else remedy: String) -> String {
        nearest?.didYouMean ?? remedy
    }

    /// `; did you mean 'NAME'? `, or nothing of that if no name is near, and then what to do.
    package func question(then remedy: String) -> String { nearest.question(then: remedy) }
}

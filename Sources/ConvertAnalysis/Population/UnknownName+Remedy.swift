internal import ConvertECMAScript
package import ConvertSwiftSDK

extension UnknownName {
    /// `did you mean 'NAME'?`, or `remedy` if no name is similar.
    package func remedy(else remedy: String) -> String {
        nearest?.didYouMean ?? remedy
    }

    /// `; did you mean 'NAME'? ` if a name is similar, followed by `remedy`.
    package func question(then remedy: String) -> String { nearest.question(then: remedy) }
}

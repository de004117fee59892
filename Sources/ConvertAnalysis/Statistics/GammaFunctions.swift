internal import Foundation

/// Functions related to the gamma function, for tests of counts.
enum GammaFunctions {
    /// The natural logarithm of Γ(`x`), for `x` > 0.
    static func logGamma(_ x: Double) -> Double {
        // Stirling's series with these terms is exact enough from 15 on; Γ(x + 1) = xΓ(x) leads there.
        var x = x
        var product = 1.0
        while x < 15 {
            product *= x
            x += 1
        }
        return stirling(x) + series(x) - log(product)
    }

    /// The error of Stirling's formula (x - ½) ln x - x + ½ ln 2π for the logarithm of Γ(`x`), for `x` > 0.
    static func stirlingError(_ x: Double) -> Double { x < 15 ? logGamma(x) - stirling(x) : series(x) }

    private static func stirling(_ x: Double) -> Double { (x - 0.5) * log(x) - x + 0.5 * log(2 * Double.pi) }

    private static func series(_ x: Double) -> Double {
        let inverse = 1 / (x * x)
        return
            (1.0 / 12 - inverse
            * (1.0 / 360 - inverse
                * (1.0 / 1260 - inverse
                    * (1.0 / 1680 - inverse * (1.0 / 1188 - inverse * (691.0 / 360_360 - inverse / 156))))))
            / x
    }

    /// The regularized upper incomplete gamma function Q(`a`, `x`), for `a` > 0 and `x` ≥ 0 (DLMF 8.2.4).
    static func upperRegularized(_ a: Double, _ x: Double) -> Double {
        if x <= 0 { return 1 }
        if x.isInfinite { return 0 }
        // Both share the factor xᵃe⁻ˣ/Γ(a). The series converges fast below a + 1, the fraction above.
        let factor = exp(a * log(x) - x - logGamma(a))
        return x < a + 1 ? 1 - factor * lowerSeries(a, x) : factor * upperFraction(a, x)
    }

    /// DLMF 8.11.4 without its factor.
    private static func lowerSeries(_ a: Double, _ x: Double) -> Double {
        var term = 1 / a
        var sum = term
        var n = 1.0
        while term > sum * .ulpOfOne / 2 {
            term *= x / (a + n)
            sum += term
            n += 1
        }
        return sum
    }

    /// DLMF 8.9.2 without its factor, by Lentz's method.
    private static func upperFraction(_ a: Double, _ x: Double) -> Double {
        let tiny = 1e-300
        var b = x + 1 - a
        var c = 1 / tiny
        var d = 1 / b
        var fraction = d
        var n = 1.0
        while n < 100_000 {
            let numerator = -n * (n - a)
            b += 2
            d = numerator * d + b
            if abs(d) < tiny { d = tiny }
            d = 1 / d
            c = b + numerator / c
            if abs(c) < tiny { c = tiny }
            let step = c * d
            fraction *= step
            if abs(step - 1) < .ulpOfOne { break }
            n += 1
        }
        return fraction
    }
}

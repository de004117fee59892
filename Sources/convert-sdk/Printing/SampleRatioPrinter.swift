import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

/// Prints the test of counts for people.
struct SampleRatioPrinter {
    private let report: SampleRatioReport
    private let minDifference: Double?

    /// - Parameter minDifference: the smallest difference of a share that matters; `nil` means that every one does.
    init(_ report: SampleRatioReport, minDifference: Double?) {
        self.report = report
        self.minDifference = minDifference
    }

    /// Prints the counts beside what the config allocates, and what they say.
    func print() {
        let rows = report.variations.map { variation in
            [
                variation.name, String(format: "%.2f %%", variation.share * 100),
                String(format: "%.1f", variation.expected), "\(variation.observed)",
                String(format: "%+.1f", Double(variation.observed) - variation.expected),
            ]
        }
        Console.printTable([["VARIATION", "SHARE", "EXPECTED", "OBSERVED", "DIFFERENCE"]] + rows)
        let result = report.result
        let p = String(format: "p = %.4g", result.p)
        let test =
            switch result.method {
            case .pearson:
                String(format: "chi-square %.4g, ", result.chiSquare)
                    + "\(result.degreesOfFreedom.counted("degree")) of freedom, \(p)"
            case .exact: "exact test, \(p)"
            case .sequential: "sequential test, \(p)"
            }
        Console.print()
        switch report.verdict {
        case .mismatch:
            Console.print("\(test): \("mismatch".styled(.bad)), the counts disagree with the config's shares")
            Console.print("What usually causes it:")
            for cause in report.causes { Console.print("- \(cause)") }
        case .agrees:
            let permitted = minDifference.map { String(format: ", but for differences below %.10g %%", $0 * 100) } ?? ""
            Console.print("\(test): the counts agree with the config's shares\(permitted)")
        case .notEnoughEvidence:
            Console.print(
                "\(test): \("not enough evidence".styled(.doubtful)), neither for nor against the config's shares")
        }
    }
}

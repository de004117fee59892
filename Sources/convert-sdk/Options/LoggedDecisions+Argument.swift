import ConvertAnalysis
import ConvertECMAScript

extension LoggedDecisions {
    /// Reads the line in `text`, or in the file whose path is `text`.
    init(_ text: String, for argument: String) throws(UsageError) {
        let data = try InputFile.readJSON(text, for: argument)
        self = try data.withElements { bytes throws(UsageError) in
            let lines = Records(of: bytes, .jsonLines).filter { !$0.isBlank }
            guard lines.count == 1 else {
                throw UsageError("\(argument): expected one line of a decision log; found \(lines.count)")
            }
            do {
                return try LoggedDecisions(json: lines[0])
            } catch {
                throw UsageError("\(argument) is not a line of a decision log: \(error)")
            }
        }
    }
}

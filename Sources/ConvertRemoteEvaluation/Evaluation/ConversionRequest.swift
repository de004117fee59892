import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore

/// A conversion in a tracking request: the members of the body other than the context.
struct ConversionRequest {
    let options: ConversionOptions

    /// Reads the members.
    ///
    /// - Throws: ``FlagError`` if a member is unknown or of the wrong type.
    init(_ members: JSObject) throws(FlagError) {
        var options = ConversionOptions()
        var values: [JSValue] = []
        for member in members {
            switch (member.key.name, member.value) {
            case ("revenue", .integer):
                values.append(["key": "amount", "value": member.value])
            case ("revenue", .number(let amount)) where amount.isFinite:
                values.append(["key": "amount", "value": member.value])
            case ("productsCount", .integer):
                values.append(["key": "productsCount", "value": member.value])
            case ("transactionId", .string):
                values.append(["key": "transactionId", "value": member.value])
            case ("ruleData", .object(let data)):
                options.ruleData = data
            case ("forcesMultipleTransactions", .bool(let flag)):
                options.forcesMultipleTransactions = flag
            default:
                throw FlagError(
                    .parseError,
                    "the body's member '\(member.key.text.excerpt().onOneLine)' is unknown or of the wrong type; there "
                        + "are revenue (a number), productsCount (an integer), transactionId (a string), ruleData (an "
                        + "object) and forcesMultipleTransactions (true or false).")
            }
        }
        if !values.isEmpty { options.goalData = values }
        self.options = options
    }
}

extension RemoteEvaluationResponse {
    /// The answer to a conversion.
    ///
    /// - Parameter isPersisted: whether it is given when the conversion is stored.
    static func conversion(_ outcome: Conversion.Outcome, isPersisted: Bool) -> RemoteEvaluationResponse {
        let status =
            switch outcome {
            case .triggered: 202
            case .alreadyTriggered: 200
            case .missingVisitorID: 400
            case .unknownGoal: 404
            case .deferred where isPersisted: 202
            // A deferred conversion counts later, but would be lost if this process ended before.
            case .sdkNotReady, .deferred, .refused, .shutDown: 503
            default: 409
            }
        var json = JSONBytes(capacity: 48)
        json.append("{\"outcome\":")
        json.append(quoting: "\(outcome)")
        json.append("}")
        return RemoteEvaluationResponse(status, headers: status == 503 ? retryAfterOneSecond : [], body: json.bytes)
    }
}

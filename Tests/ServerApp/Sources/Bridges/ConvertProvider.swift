import ConvertRemoteEvaluation
public import ConvertSwiftSDK
import Foundation
public import OpenFeature
import ServiceLifecycle

/// Lets an OpenFeature client in the same process ask the SDK.
///
/// Tried with the declarations of swift-open-feature at commit 96840e6, and swift-service-lifecycle 2.13.0.
public struct ConvertProvider: OpenFeatureProvider {
    /// The provider's name.
    public let metadata = OpenFeatureProviderMetadata(name: "convert")

    private let flags: RemoteEvaluation
    private let reportsExposures: Bool

    /// Answers with the features and experiences of `sdk`.
    ///
    /// - Parameter reportsExposures: whether resolutions store and report new decisions. A context switches it off for
    ///   one resolution with the field `convertExposure`.
    public init(sdk: ConvertSDK, reportsExposures: Bool = true) {
        flags = RemoteEvaluation(sdk: sdk)
        self.reportsExposures = reportsExposures
    }

    /// Runs until the service group shuts down. The SDK has a service of its own.
    public func run() async throws { try await gracefulShutdown() }

    /// The flag's value for the visitor, or the default.
    public func resolution(
        of flag: String, defaultValue: Bool, context: OpenFeatureEvaluationContext?
    ) async -> OpenFeatureResolution<Bool> {
        await resolve(flag, defaultValue, context) { $0.boolValue }
    }

    /// The flag's value for the visitor, or the default.
    public func resolution(
        of flag: String, defaultValue: String, context: OpenFeatureEvaluationContext?
    ) async -> OpenFeatureResolution<String> {
        await resolve(flag, defaultValue, context) { $0.stringValue }
    }

    /// The flag's value for the visitor, or the default.
    public func resolution(
        of flag: String, defaultValue: Int, context: OpenFeatureEvaluationContext?
    ) async -> OpenFeatureResolution<Int> {
        await resolve(flag, defaultValue, context) { value in
            if case .integer(let integer) = value { integer } else { value.numberValue.flatMap { Int(exactly: $0) } }
        }
    }

    /// The flag's value for the visitor, or the default.
    public func resolution(
        of flag: String, defaultValue: Double, context: OpenFeatureEvaluationContext?
    ) async -> OpenFeatureResolution<Double> {
        await resolve(flag, defaultValue, context) { value in
            if case .integer(let integer) = value { Double(exactly: integer) } else { value.numberValue }
        }
    }

    /// - Parameter convert: makes the client's type of a value without loss; `nil` if it cannot.
    private func resolve<Value: OpenFeatureValue>(
        _ flag: String, _ defaultValue: Value, _ context: OpenFeatureEvaluationContext?,
        _ convert: (JSValue) -> Value?
    ) async -> OpenFeatureResolution<Value> {
        func failure(_ code: OpenFeatureResolutionError.Code, _ message: String) -> OpenFeatureResolution<Value> {
            OpenFeatureResolution(value: defaultValue, error: .init(code: code, message: message), reason: .error)
        }
        guard var members = (context?.fields ?? [:]).jsObject else {
            return failure(.invalidContext, "the context has an object that cannot be encoded as JSON.")
        }
        members["targetingKey"] = context?.targetingKey.map { .string($0) }
        do {
            let evaluation = try await flags.evaluation(of: flag, in: members, reportsExposure: reportsExposures)
            let reason = evaluation.reason == .unknown ? .default : evaluation.reason.openFeature
            let metadata = evaluation.metadata.compactMap { member in
                member.value.stringValue.map { (member.key.text, OpenFeatureFlagMetadataValue.string($0)) }
            }
            guard let value = evaluation.value else {
                return OpenFeatureResolution(
                    value: defaultValue, reason: reason, variant: evaluation.variant,
                    flagMetadata: Dictionary(metadata) { first, _ in first })
            }
            guard let converted = convert(value) else {
                return failure(.typeMismatch, "the flag '\(flag)' is not a value that \(Value.self) can represent.")
            }
            return OpenFeatureResolution(
                value: converted, reason: reason, variant: evaluation.variant,
                flagMetadata: Dictionary(metadata) { first, _ in first })
        } catch {
            // OpenFeature's words for errors are the SDK's.
            return failure(.init(rawValue: error.code.rawValue), error.details)
        }
    }
}

extension FlagEvaluation.Reason {
    /// OpenFeature's words for reasons are the SDK's.
    fileprivate var openFeature: OpenFeatureResolutionReason { .init(rawValue: rawValue) }
}

extension [String: OpenFeatureFieldValue] {
    /// The fields as a visitor's attributes, ordered by name; `nil` if one cannot be encoded.
    fileprivate var jsObject: JSObject? {
        var object = JSObject()
        for (name, field) in sorted(by: { $0.key < $1.key }) {
            guard let value = field.jsValue else { return nil }
            object[name] = value
        }
        return object
    }
}

extension OpenFeatureFieldValue {
    fileprivate var jsValue: JSValue? {
        switch self {
        case .bool(let flag): .bool(flag)
        case .string(let text): .string(text)
        case .int(let integer): .integer(integer)
        case .double(let number): .number(number)
        case .date(let date): .string(date.formatted(.iso8601))
        case .object(let object): try? JSValue(json: JSONEncoder().encode(object))
        }
    }
}

public import ConvertSwiftSDKCore

// Each call decides, stores and reports like `feature(_:options:experienceKeys:castsTypes:)`.

/// Flags in one call: whether the visitor has a feature, and its variables as Swift values.
extension ConvertContext {
    /// Whether the visitor has a feature, or `fallback` if that cannot be decided: the config does not declare the
    /// feature, the visitor's id is empty, or there is no config yet.
    ///
    ///     if visitor.bool("new-search", default: false) { … }
    public func bool(
        _ key: some ConvertKey, default fallback: Bool, options: DecisionOptions = DecisionOptions()
    ) -> Bool {
        let found = feature(named: key.convertKey, options: options)
        if found.status == .enabled { return true }
        return found.disabledReason == .undeclared || visitorID.isEmpty || !isConfigured ? fallback : false
    }

    /// A feature's variable as a boolean, or `fallback` if the visitor does not have the feature, or the variable is
    /// missing or of another type.
    public func bool(
        _ key: some ConvertKey, _ variable: some ConvertKey, default fallback: Bool,
        options: DecisionOptions = DecisionOptions()
    ) -> Bool {
        feature(named: key.convertKey, options: options).boolean(variable.convertKey) ?? fallback
    }

    /// A feature's variable as text, or `fallback` if the visitor does not have the feature, or the variable is missing
    /// or of another type.
    ///
    ///     let title = visitor.string("banner", "title", default: "Welcome")
    public func string(
        _ key: some ConvertKey, _ variable: some ConvertKey, default fallback: String,
        options: DecisionOptions = DecisionOptions()
    ) -> String {
        feature(named: key.convertKey, options: options).string(variable.convertKey) ?? fallback
    }

    /// A feature's variable as a whole number, or `fallback` if the visitor does not have the feature, or the variable
    /// is missing or not a whole number.
    public func int(
        _ key: some ConvertKey, _ variable: some ConvertKey, default fallback: Int,
        options: DecisionOptions = DecisionOptions()
    ) -> Int {
        feature(named: key.convertKey, options: options).integer(variable.convertKey) ?? fallback
    }

    /// A feature's variable as a number, or `fallback` if the visitor does not have the feature, or the variable is
    /// missing, not a number, or could not be cast.
    public func double(
        _ key: some ConvertKey, _ variable: some ConvertKey, default fallback: Double,
        options: DecisionOptions = DecisionOptions()
    ) -> Double {
        // A value that could not be cast is NaN.
        let number = feature(named: key.convertKey, options: options).number(variable.convertKey)
        return number.flatMap { $0.isNaN ? nil : $0 } ?? fallback
    }

    /// Returns a feature's variables as a value of the app's own type, or `fallback` if the visitor does not have the
    /// feature.
    ///
    ///     let form = visitor.decode("checkout-form", default: CheckoutForm())
    ///
    /// Also returns `fallback` if the variables do not fit the type or lack a required one, with one warning per
    /// feature and type.
    public func decode<Value: Decodable>(
        _ key: some ConvertKey, default fallback: Value, options: DecisionOptions = DecisionOptions()
    ) -> Value {
        let key = key.convertKey
        do {
            return try feature(named: key, options: options).decode(Value.self) ?? fallback
        } catch {
            warn(ofUndecodable: key, as: Value.self, error)
            return fallback
        }
    }
}

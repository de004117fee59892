internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Checks for numbers that people read differently than the SDK does, and for times in two units.
extension LintContext {
    /// Checks for versions that are compared as numbers: 2.10 is 2.1, which comes before 2.9.
    mutating func checkVersions() {
        for site in conditions(on: .visitor) where site.operation == .less || site.operation == .lessEqual {
            guard let name = site.condition.key, ECMAScript.toLowerCase(name).contains("version"),
                let value = site.condition.value
            else { continue }
            let text = value.stringValue ?? ECMAScript.jsonText(keepingNumbersOf: value)
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isNumber) }),
                let minor = Int(parts[1])
            else { continue }
            // Find a neighbour on the wrong side: 2.9 is not less than 2.10, and 2.10 is less than 2.5. The number may
            // have been written with a trailing zero.
            let domain = pool[site]
            let minors = value.stringValue == nil && parts[1].count == 1 ? [minor, minor * 10] : [minor]
            let before = minors.filter { $0 > 0 }.map { "\(parts[0]).\($0 - 1)" }
                .first { !domain.finds($0) }
            let after = "\(parts[0]).\(max(10, minor + 1))"
            guard let wrong = before ?? (domain.finds(after) ? after : nil) else { continue }
            let formula = pool.formula(of: site)
            add(
                .versionAsNumber, at: site.valuePath,
                "'\(name.excerpt())' is compared with \(text.excerpt()) as a number: \"\(wrong)\" "
                    + "is a version \(before != nil ? "before" : "after") it, and "
                    + "\(domain.answer(for: .string(wrong))).",
                remedy: "Compare with regexMatches, or let the app give the version as one whole number.",
                witness: witness(with: wrong, site),
                contrast: visitor(of: domain.holds(for: .string(wrong)) ? formula.negated : formula).map(witness))
        }
    }

    /// Checks for times that are in seconds in one condition and in milliseconds or as a date in another.
    mutating func checkTimeUnits() {
        var uses: [PropertyKey: [(unit: String, path: String)]] = [:]
        var order: [PropertyKey] = []
        for site in conditions(on: .visitor) {
            guard let key = site.condition.attribute, let unit = site.condition.value.flatMap(Self.timeUnit),
                uses[key]?.contains(where: { $0.unit == unit }) != true
            else { continue }
            if uses[key] == nil { order.append(key) }
            uses[key, default: []].append((unit, site.path))
        }
        for key in order {
            guard let known = uses[key], known.count > 1 else { continue }
            let (first, second) = (known[0], known[1])
            add(
                .mixedTimeUnits, at: second.path + ".value",
                "'\(key.name.excerpt())' is compared with \(second.unit) here and with \(first.unit) at "
                    + "\(first.path): one of the conditions matches all visitors, or none.",
                remedy: "Write both in the form that the app gives.")
        }
    }

    /// The form of a value that is probably a time; `nil` for other values.
    private static func timeUnit(of value: JSValue) -> String? {
        if case .array = value { return nil }
        if value.stringValue?.isSortableDate ?? false { return "a date" }
        let number = ECMAScript.toNumber(value)
        // From September 2001 on, for about three centuries.
        if (1e9..<1e10).contains(number) { return "seconds" }
        return (1e12..<1e13).contains(number) ? "milliseconds" : nil
    }
}

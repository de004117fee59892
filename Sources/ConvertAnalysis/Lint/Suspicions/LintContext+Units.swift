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

    /// Checks for times that are in seconds in one condition and in milliseconds in another.
    mutating func checkTimeUnits() {
        var seconds: [PropertyKey: String] = [:]
        var milliseconds: [PropertyKey: String] = [:]
        var order: [PropertyKey] = []
        for site in conditions(on: .visitor) {
            guard let key = site.condition.attribute, let value = site.condition.value, value.arrayValue == nil else {
                continue
            }
            let number = ECMAScript.toNumber(value)
            // From September 2001 on, for about three centuries.
            if (1e9..<1e10).contains(number) {
                if seconds[key] == nil { seconds[key] = site.path } else { continue }
            } else if (1e12..<1e13).contains(number) {
                if milliseconds[key] == nil { milliseconds[key] = site.path } else { continue }
            } else {
                continue
            }
            if !order.contains(key) { order.append(key) }
        }
        for key in order {
            guard let first = seconds[key], let second = milliseconds[key] else { continue }
            add(
                .mixedTimeUnits, at: second + ".value",
                "'\(key.name.excerpt())' is compared with milliseconds here and with seconds at \(first): one of "
                    + "them matches all visitors, or none.",
                remedy: "Write both in the unit that the app gives.")
        }
    }
}

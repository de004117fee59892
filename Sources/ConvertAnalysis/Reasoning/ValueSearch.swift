internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Searches for a value of one attribute for which each condition gives the wanted answer.
struct ValueSearch {
    enum Answer {
        /// No such value exists.
        case impossible
        /// The value; `nil` stands for an absent attribute.
        case value(JSValue?)
        /// The search could not decide whether such a value exists.
        case undecided
    }

    private let wishes: [(condition: ConditionDomain, isWanted: Bool)]
    private let kinds: ValueKinds
    private let budget: AnalysisBudget

    init(
        _ wishes: [(condition: ConditionDomain, isWanted: Bool)], kinds: ValueKinds = .all, budget: AnalysisBudget
    ) {
        self.wishes = wishes
        self.kinds = kinds
        self.budget = budget
    }

    /// Runs the search. A returned value was tried on the rule engine.
    func run() -> Answer {
        if wishes.contains(where: { wish in wish.condition.constant.map { $0 != wish.isWanted } ?? false }) {
            return .impossible
        }
        if wishes.count > budget.limits.conditions { return .undecided }
        for candidate in candidates where isAccepted(candidate) { return .value(candidate) }
        var answer = Answer.impossible
        if kinds.contains(.scalars) {
            for search in [searchTexts, searchNumbers] {
                switch search() {
                case .impossible: break
                case .undecided: answer = .undecided
                case let found: return found
                }
            }
        }
        if kinds.contains(.containers) {
            switch searchArrays() {
            case .impossible: break
            case .undecided: answer = .undecided
            case let found: return found
            }
        }
        return answer
    }

    private func isAccepted(_ value: JSValue?) -> Bool {
        if kinds.contains(.unlisted), value?.stringValue?.contains("|") ?? false { return false }
        return wishes.allSatisfy { wish in
            budget.spend(ConditionDomain.trialCost)
            return wish.condition.holds(for: value) == wish.isWanted
        }
    }

    /// Values to try before a search: first the most natural ones, then one of each remaining kind.
    private var candidates: [JSValue?] {
        var result: [JSValue?] = []
        if kinds.contains(.scalars) {
            let comparesNumbers = wishes.contains { $0.condition.comparesNumbers }
            for wish in wishes {
                for sample in wish.condition.samples where sample.arrayValue == nil && sample.objectValue == nil {
                    if comparesNumbers, let number = sample.numberValue {
                        result += [.init(JSValue(number + 1)), JSValue(number - 1)]
                    }
                    result.append(sample)
                    if case .string(let text) = sample {
                        result.append(.string(ECMAScript.toLowerCase(text)))
                        let number = ECMAScript.stringToNumber(text)
                        if number.isFinite, !text.isEmpty { result.append(JSValue(number)) }
                    }
                }
            }
            if comparesNumbers { result += [1] }
            result += ["a", "1"]
        }
        if kinds.contains(.absent) { result.append(nil) }
        if kinds.contains(.scalars) { result += [.bool(true), .bool(false), .string(""), .null] }
        if kinds.contains(.scalars) { result += [.number(.infinity), .number(-.infinity)] }
        if kinds.contains(.containers) { result += objects }
        return result
    }

    /// One object of each kind that the conditions distinguish.
    ///
    /// Conditions only depend on which of the keys they name an object has, and on whether `ToString` throws. So each
    /// object has some of these keys; an additional key makes an object that is not empty.
    private var objects: [JSValue?] {
        var members = JSObject()
        for wish in wishes {
            guard let name = wish.condition.memberName, wish.isWanted != wish.condition.condition.negation else {
                continue
            }
            members[name] = 1
        }
        var filled = members
        filled[unusedName] = 1
        var textless = members
        textless["toString"] = 1
        var filledTextless = textless
        filledTextless[unusedName] = 1
        var result: [JSValue?] = [.object(filled), .object(textless), .object(filledTextless)]
        result.insert(.object(members), at: 0)
        return result
    }

    /// A key that no condition names.
    private var unusedName: String {
        let names = Set(wishes.compactMap(\.condition.memberName))
        var name = "x"
        while names.contains(name) { name += "x" }
        return name
    }

    private func searchTexts() -> Answer {
        var texts = wishes.map { (machine: $0.condition.text, wanted: $0.isWanted) }
        if kinds.contains(.unlisted) { texts.append((NeedleMachine([0x7C], .anywhere, isNegated: true), true)) }
        // If the conditions only ask for numbers, ranges need fewer steps than texts. Texts that are not numbers were
        // tried before.
        if let ranges = numberRanges,
            wishes.allSatisfy({ $0.condition.comparesNumbers || $0.condition.asksForPresence })
        {
            for number in ranges.samples {
                let value = JSValue.string(number.plainText)
                if isAccepted(value) { return .value(value) }
            }
            let isExcluded = wishes.contains {
                $0.condition.asksForPresence && $0.condition.holds(for: "1") != $0.isWanted
            }
            if ranges.isEmpty || isExcluded { return .impossible }
        }
        // If a condition on numbers does not hold for "a", it holds only for texts of numbers.
        let needsNumber = wishes.contains { wish in
            wish.condition.comparesNumbers && wish.condition.holds(for: "a") != wish.isWanted
        }
        if needsNumber, isImpossibleForNumbers(texts) { return .impossible }
        return answer(TextSearch(texts, budget: budget)) { isAccepted($0) ? $0 : nil }
    }

    /// Whether no text of a number's units meets the conditions on texts.
    ///
    /// Most conditions on texts ask for a letter. That shows in few steps, where a search that also counts digits takes
    /// thousands.
    private func isImpossibleForNumbers(_ texts: [(machine: any TextMachine, wanted: Bool)]) -> Bool {
        let units = (machine: NumberUnitsMachine() as any TextMachine, wanted: true)
        let search = TextSearch(texts.filter { !($0.machine is DecimalMachine) } + [units], budget: budget)
        return if case .empty = search.run(accepts: { _ in true }) { true } else { false }
    }

    /// The numbers that all conditions on numbers allow; `nil` if no condition is on numbers.
    private var numberRanges: NumberRanges? {
        var result: NumberRanges?
        for wish in wishes {
            guard let numbers = wish.condition.numbers else { continue }
            let wanted = wish.isWanted ? numbers : numbers.inverted
            result = result?.intersection(wanted) ?? wanted
        }
        return result
    }

    private func searchNumbers() -> Answer {
        let ranges = numberRanges ?? .all
        if ranges.isEmpty { return .impossible }
        for number in ranges.samples where isAccepted(JSValue(number)) { return .value(JSValue(number)) }
        let texts = wishes.compactMap { wish in
            wish.condition.numberText.map { (machine: $0, wanted: wish.isWanted) }
        }
        if texts.isEmpty { return .undecided }
        if isImpossibleForNumbers(texts) { return .impossible }
        // The plain decimal text of a number reads as the number.
        let decimals = wishes.filter(\.condition.comparesNumbers).map {
            (machine: PlainNumberMachine($0.condition.text) as any TextMachine, wanted: $0.isWanted)
        }
        let shape = NumberTextMachine(allowsExponents: ranges.hasExponents)
        let machines = texts + [(machine: shape, wanted: true)] + decimals
        return answer(TextSearch(machines, budget: budget)) { value in
            guard case .string(let text) = value else { return nil }
            let number = ECMAScript.stringToNumber(text)
            guard number.isFinite, ECMAScript.toString(number) == text else { return nil }
            return isAccepted(JSValue(number)) ? JSValue(number) : nil
        }
    }

    private func searchArrays() -> Answer {
        var elements: [JSValue] = []
        var excluded: [JSValue] = []
        var texts: [(machine: any TextMachine, wanted: Bool)] = []
        var isUnknown = false
        for wish in wishes {
            switch wish.condition.array {
            case .constant(let holds):
                if holds != wish.isWanted { return .impossible }
            case .element(let element, let isNegated):
                // No array counts as having an element that is an array, an object or NaN: JavaScript never finds these
                // equal to the rule's value.
                if wish.isWanted == isNegated {
                    excluded.append(element)
                } else if !elements.contains(element) {
                    elements.append(element)
                }
            case .text: texts.append((wish.condition.text, wish.isWanted))
            case .unknown: isUnknown = true
            }
        }
        if elements.contains(where: { $0.arrayValue != nil || $0.objectValue != nil || excluded.contains($0) }) {
            return .impossible
        }
        let plain: [JSValue] = [.array(elements), .array(elements + [unusedElement]), textlessArray(elements)]
        for value in plain where isAccepted(value) { return .value(value) }
        if isUnknown { return .undecided }
        // Unwanted elements can always be avoided: an inner array can have the same text.
        if texts.isEmpty { return .impossible }
        if elements.count > TextSearch.mostPieces { return .undecided }
        return answer(TextSearch(texts, pieces: elements, budget: budget)) { value in
            if isAccepted(value) { return value }
            let nested = value.arrayValue.map { array in
                JSValue.array(array.map { elements.contains($0) ? $0 : .array([$0]) })
            }
            return nested.flatMap { isAccepted($0) ? $0 : nil }
        }
    }

    /// An element that no condition asks for.
    private var unusedElement: JSValue { .string("x" + unusedName) }

    /// An array for which `ToString` throws.
    private func textlessArray(_ elements: [JSValue]) -> JSValue {
        .array(elements + [.object(["toString": 1])])
    }

    private func answer(_ search: TextSearch, _ accept: (JSValue) -> JSValue?) -> Answer {
        var accepted: JSValue?
        let outcome = search.run { value in
            accepted = accept(value)
            return accepted != nil
        }
        switch outcome {
        case .empty: return .impossible
        case .found: return .value(accepted)
        case .undecided: return .undecided
        }
    }
}

extension Double {
    /// The shortest plain decimal that reads as the number.
    fileprivate var plainText: String {
        let text = ECMAScript.toString(self)
        let parts = text.split(separator: "e")
        guard parts.count == 2, let exponent = Int(parts[1]) else { return text }
        let sign = parts[0].hasPrefix("-") ? "-" : ""
        let digits = parts[0].filter(\.isNumber)
        if exponent < 0 { return sign + "0." + String(repeating: "0", count: -exponent - 1) + digits }
        return sign + digits + String(repeating: "0", count: exponent + 1 - digits.count)
    }
}

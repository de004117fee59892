internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Checks attributes across all rules: their names and the types of their values.
extension LintContext {
    /// The maximum number of distinct names that are compared with each other.
    private static let mostNames = 2_000
    /// The maximum number of entities' keys that are compared with each other, in each list.
    private static let mostKeys = 500

    /// The conditions without a defect on properties of `scope`.
    func conditions(on scope: Formula.Scope) -> [SitedCondition] {
        allRules.filter { $0.question == nil && $0.scope == scope }.flatMap { $0.sites.joined().joined() }
    }

    /// The texts that conditions compare each attribute with, in lower case.
    func textsByAttribute() -> [PropertyKey: Set<String>] {
        var result: [PropertyKey: Set<String>] = [:]
        for site in conditions(on: .visitor) {
            guard let key = site.condition.attribute else { continue }
            switch (site.operation, site.condition.value) {
            case (.equals, .string(let text)?): result[key, default: []].insert(ECMAScript.toLowerCase(text))
            case (.isIn, .string(let list)?):
                result[key, default: []].formUnion(ECMAScript.toLowerCase(list).parts(between: "|").map(\.trimmed))
            default: break
            }
        }
        return result
    }

    /// Checks for names that differ in one letter, or in the separators of their words.
    mutating func checkAttributeNames() {
        checkAttributeNames(of: conditions(on: .visitor))
        checkAttributeNames(of: conditions(on: .location))
    }

    private mutating func checkAttributeNames(of sites: [SitedCondition]) {
        var counts: [PropertyKey: (name: String, count: Int, path: String)] = [:]
        var order: [PropertyKey] = []
        for site in sites {
            guard let key = site.condition.attribute, let name = site.condition.key else { continue }
            if counts[key] == nil {
                order.append(key)
                checkLetters(ofName: name, site)
                checkBlanks(ofName: name, site)
            }
            counts[key, default: (name, 0, site.keyPath)].count += 1
        }
        let reported = checkNotation(ofNamesIn: sites)
        if order.count > Self.mostNames { return }
        let names = order.filter { !reported.contains($0) }.compactMap { counts[$0] }
        let forms = names.map { NameForm($0.name) }
        for (place, (name, form)) in zip(names, forms).enumerated() {
            for (before, other) in zip(names, forms).prefix(place) where form.isNearly(other) {
                let (rare, usual) = name.count <= before.count ? (name, before) : (before, name)
                add(
                    .similarNames, at: rare.path,
                    "The attribute '\(rare.name.excerpt())' is nearly '\(usual.name.excerpt())', which is read in "
                        + "\(usual.count.counted("place")). They are two attributes.",
                    remedy: "Spell them alike, if they are meant to be one.")
                break
            }
        }
    }

    /// Checks for similar keys of entities of one kind.
    mutating func checkEntityKeys() {
        for list in ConfigDocument.List.allCases {
            let keyed = document[list].filter { $0.key?.isEmpty == false }
            if keyed.count > Self.mostKeys { continue }
            let forms = keyed.map { NameForm($0.key ?? "") }
            for (place, form) in forms.enumerated() {
                guard let other = forms.indices.prefix(place).first(where: { form.isTypo(of: forms[$0]) }) else {
                    continue
                }
                add(
                    .similarNames, at: keyed[place].path + ".key",
                    "The key of \(keyed[place].name) is nearly that of \(keyed[other].name): a call by one gets "
                        + "nothing of the other.",
                    remedy: "Name them apart, or remove the one that is not meant.")
            }
        }
    }

    /// Checks for an attribute whose name mixes scripts.
    private mutating func checkLetters(ofName name: String, _ site: SitedCondition) {
        guard let unmixed = LookAlikeLetters.plain(name, isPattern: false) else { return }
        suspect(
            .lookAlikeLetters, site, meaning: [site.condition.renamed(unmixed)], at: site.keyPath,
            "The attribute '\(name.excerpt().spelledOut)' has letters of another script or hidden characters, and "
                + "looks like '\(unmixed.excerpt().spelledOut)'.",
            remedy: "Write '\(unmixed.excerpt())'.")
    }

    private static let offWords: Set<String> = [
        "no", "off", "n", "f", "0", "disabled", "nein", "non", "нет", "falsch", "faux", "inactive",
    ]
    private static let onWords: Set<String> = [
        "yes", "on", "y", "j", "t", "1", "enabled", "ja", "oui", "si", "sí", "sim", "да", "wahr", "vrai", "active",
    ]

    /// Checks for attributes that are compared with a boolean in one place and with a word for one in another.
    mutating func checkFlags() {
        let words = Self.offWords.union(Self.onWords)
        var flags: [PropertyKey: String] = [:]
        var spoken: [PropertyKey: SitedCondition] = [:]
        var spellings: [PropertyKey: [(word: String, site: SitedCondition)]] = [:]
        for site in conditions(on: .visitor) {
            guard let key = site.condition.attribute, let value = site.condition.value else { continue }
            let text = ECMAScript.toLowerCase(ECMAScript.toString(value))
            switch site.operation {
            case .equals:
                if words.contains(text) { spellings[key, default: []].append((text, site)) }
                if text == "true" || text == "false" {
                    if flags[key] == nil { flags[key] = site.path }
                } else if words.contains(text), spoken[key] == nil {
                    spoken[key] = site
                }
            // A list with a word for true and one for false matches every flag spelled as a word.
            case .isIn:
                let items = text.parts(between: "|")
                if spoken[key] == nil,
                    items.allSatisfy(Self.onWords.contains) || items.allSatisfy(Self.offWords.contains)
                {
                    spoken[key] = site
                }
            default: break
            }
        }
        for (key, uses) in spellings.sorted(by: { $0.value[0].site.path < $1.value[0].site.path }) {
            checkAbbreviation(among: uses, of: key)
        }
        for (key, site) in spoken.sorted(by: { $0.value.path < $1.value.path }) {
            guard let other = flags[key] else { continue }
            let value = site.condition.value ?? .null
            let word = ECMAScript.toLowerCase(ECMAScript.toString(value)).parts(between: "|").first ?? ""
            let isOff = Self.offWords.contains(word)
            var (lost, found) = (VisitorSearch.Model(), VisitorSearch.Model())
            lost.attributes[key] = .bool(!isOff)
            found.attributes[key] = site.operation == .isIn ? .string(word) : value
            add(
                .mixedFlags, at: site.valuePath,
                "'\(key.name.excerpt())' is compared with \(ECMAScript.jsonText(of: value)) here and with a "
                    + "boolean at \(other): a visitor with \(!isOff) "
                    + "\(pool[site].answer(for: .bool(!isOff))) here.",
                remedy: "Compare with the boolean in both places.", witness: witness(of: lost),
                contrast: witness(of: found))
        }
    }
}

extension LintContext {
    /// Checks for a word for a boolean that is abbreviated in one place and written out in another, such as `y` and
    /// `yes`.
    private mutating func checkAbbreviation(
        among uses: [(word: String, site: SitedCondition)], of key: PropertyKey
    ) {
        guard let short = uses.first(where: { $0.word.count == 1 }),
            let long = uses.first(where: { $0.word.count > 1 && $0.word.hasPrefix(short.word) })
        else { return }
        var (lost, found) = (VisitorSearch.Model(), VisitorSearch.Model())
        lost.attributes[key] = .string(long.word)
        found.attributes[key] = .string(short.word)
        add(
            .mixedFlags, at: short.site.valuePath,
            "'\(key.name.excerpt())' is compared with \"\(short.word)\" here and with \"\(long.word)\" at "
                + "\(long.site.path): a visitor with \"\(long.word)\" "
                + "\(pool[short.site].answer(for: .string(long.word))) here.",
            remedy: "Compare with one word in both places.", witness: witness(of: lost), contrast: witness(of: found))
    }
}

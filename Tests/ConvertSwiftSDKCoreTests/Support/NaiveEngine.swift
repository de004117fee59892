import ConvertECMAScript
import ConvertSwiftSDKCore

/// Decides by reading the config's JSON anew for each question, in lists and linear scans. It shares no code with the
/// engine but values and texts.
struct NaiveEngine {
    let config: JSObject
    let rules: NaiveRules

    /// A visitor: what the caller knows, and what is stored.
    struct Visitor {
        let id: String
        let attributes: JSObject
        var state: JSObject
        /// Ids of the experience and of the variation that are previewed.
        var preview: (experience: String, variation: String)?
    }

    init(config: JSObject, semantics: RuleSemantics, keysAreCaseSensitive: Bool = true) {
        self.config = config
        rules = NaiveRules(semantics: semantics, keysAreCaseSensitive: keysAreCaseSensitive)
    }

    private var semantics: RuleSemantics { rules.semantics }

    /// A visitor whose report segments are split off the attributes and stored.
    func visitor(id: String, attributes: JSObject, state: JSObject) -> Visitor {
        let reported = ["country", "browser", "devices", "source", "campaign", "visitorType", "customSegments"]
        var (segments, others, state) = (JSObject(), JSObject(), state)
        for member in attributes {
            if reported.contains(member.key.name) {
                segments[member.key] = member.value
            } else {
                others[member.key] = member.value
            }
        }
        if !segments.isEmpty { state.merge(segments: segments) }
        return Visitor(id: id, attributes: others, state: state)
    }

    /// The entities of a kind.
    func entities(_ kind: String) -> [JSObject] { (config[kind]?.arrayValue ?? []).compactMap(\.objectValue) }

    func text(_ member: String, of entity: JSObject) -> String { ECMAScript.toString(entity[member]) }

    func first(_ member: String, _ text: String) -> Int? {
        entities("experiences").firstIndex { PropertyKey(self.text(member, of: $0)) == PropertyKey(text) }
    }

    /// Index of the first variation with the id `text` in the first experience with the id of `experience`.
    func variation(_ text: String, of experience: JSObject, numericIDs: Bool) -> JSObject? {
        guard let owner = first("id", self.text("id", of: experience)) else { return nil }
        return variations(of: entities("experiences")[owner]).first { variation in
            guard let id = variation["id"], id.stringValue != nil || (numericIDs && id.numberValue != nil) else {
                return false
            }
            return PropertyKey(ECMAScript.toString(id)) == PropertyKey(text)
        }
    }

    func variations(of experience: JSObject) -> [JSObject] {
        (experience["variations"]?.arrayValue ?? []).compactMap(\.objectValue)
    }

    // MARK: Calls

    /// One experience, asked for by `member`, which is `key` or `id`.
    func decide(_ member: String, _ name: String, _ visitor: inout Visitor, _ options: DecisionOptions) -> Voice {
        let index = first(member, name)
        if let preview = preview(of: visitor), let index, isMeant(preview.index, by: index, member) {
            return preview.voice
        }
        return decide(index, &visitor, Call(options, visitor, identity: member))
    }

    /// Every experience in config order, a previewed one last.
    func decideAll(_ visitor: inout Visitor, _ options: DecisionOptions) -> [Voice] {
        let preview = preview(of: visitor)
        let call = Call(options, visitor, identity: "key")
        var voices: [Voice] = []
        for experience in entities("experiences") {
            let owner = first("key", text("key", of: experience))
            let voice = decide(owner, &visitor, call)
            let isThrown = voice.reason == .malformedRules || voice.reason == .missingSettings
            let ends = isThrown && semantics == .javaScript
            let isSkipped = preview.flatMap { preview in owner.map { isReplaced($0, by: preview.index) } } ?? false
            if !isSkipped || ends { voices.append(voice) }
            if ends { return voices }
        }
        return voices + (preview.map { [$0.voice] } ?? [])
    }

    func preview(of visitor: Visitor) -> (index: Int, voice: Voice)? {
        guard let preview = visitor.preview, let index = first("id", preview.experience) else { return nil }
        let experience = entities("experiences")[index]
        guard let variation = variation(preview.variation, of: experience, numericIDs: true) else { return nil }
        var voice = Voice(experienceID: text("id", of: experience))
        (voice.source, voice.variationID) = (.preview, text("id", of: variation))
        return (index, voice)
    }

    func isMeant(_ previewed: Int, by index: Int, _ member: String) -> Bool {
        if member == "id" { return previewed == index }
        let experiences = entities("experiences")
        // A call asks with text.
        return experiences[previewed]["key"]?.stringValue != nil
            && PropertyKey(text("key", of: experiences[previewed])) == PropertyKey(text("key", of: experiences[index]))
    }

    /// Whether a preview takes the place of an experience among all: their keys are one by `===`.
    func isReplaced(_ index: Int, by previewed: Int) -> Bool {
        let (key, other) = (entities("experiences")[index]["key"], entities("experiences")[previewed]["key"])
        guard let key, let other else { return key == nil && other == nil }
        return key.isStrictlyEqual(to: other)
    }

    // MARK: Gates

    struct Call {
        let options: DecisionOptions
        let identity: String
        let properties: JSObject
        let isPreviewing: Bool
        var stores: Bool { options.isStorageEnabled && !isPreviewing }
        var tracks: Bool { options.isTrackingEnabled && !isPreviewing }

        init(_ options: DecisionOptions, _ visitor: Visitor, identity: String) {
            self.options = options
            self.identity = identity
            properties = visitor.state.object("segments")
                .deepMerging(visitor.attributes.deepMerging(options.visitorProperties ?? [:]))
            isPreviewing = visitor.preview != nil
        }
    }

    func decide(_ index: Int?, _ visitor: inout Visitor, _ call: Call) -> Voice {
        if visitor.id.isEmpty { return Voice(reason: .missingVisitorID) }
        guard let index else { return Voice(reason: .unknownExperience) }
        let experience = entities("experiences")[index]
        var effects: [DecisionEffect] = []
        if let reason = closedGate(experience, &visitor, call, &effects) {
            return Voice(reason: reason, effects: effects)
        }
        return select(experience, &visitor, call, effects)
    }

    private func closedGate(
        _ experience: JSObject, _ visitor: inout Visitor, _ call: Call, _ effects: inout [DecisionEffect]
    ) -> Decision.Reason? {
        let id = text("id", of: experience)
        let archived = config["archived_experiences"]?.arrayValue ?? []
        if archived.contains(where: { ECMAScript.toString($0) == id }) { return .archived }
        let asked = call.options.environment ?? ""
        if let environment = experience["environment"], environment.isTruthy,
            environment != .string(asked.isEmpty ? "staging" : asked)
        {
            return .otherEnvironment
        }
        let isBucketed = storedVariation(experience, visitor) != nil
        if let reason = locationGate(experience, &visitor, call, &effects) { return reason }
        let reason = audienceGate(experience, visitor, call, isBucketed: isBucketed)
        if let reason, reason != .audienceNotMatched { return reason }
        let segments = attached("audiences", of: experience, among: "segments")
        let stored = visitor.state.object("segments")["customSegments"]
        if semantics == .javaScript, !segments.isEmpty, let stored, stored.arrayValue == nil, stored.stringValue == nil
        {
            return .malformedRules
        }
        if let reason { return reason }
        if !segments.isEmpty && !segments.contains(where: { isStored($0.entity["id"], visitor) }) {
            return .segmentNotMatched
        }
        return variations(of: experience).isEmpty ? .noVariations : nil
    }

    private func storedVariation(_ experience: JSObject, _ visitor: Visitor) -> JSObject? {
        guard let stored = visitor.state.object("bucketing")[text("id", of: experience)], stored.isTruthy else {
            return nil
        }
        return variation(ECMAScript.toString(stored), of: experience, numericIDs: semantics != .javaScript)
    }

    /// The entities of `kind` whose ids stand in the experience's list, in config order.
    private func attached(_ list: String, of experience: JSObject, among kind: String) -> [(
        index: Int, entity: JSObject
    )] {
        let ids = experience[list]?.arrayValue ?? []
        return entities(kind).enumerated().map { (index: $0.offset, entity: $0.element) }.filter { entity in
            ids.contains { id in entity.entity["id"].map(id.isStrictlyEqual) ?? false }
        }
    }

    private func locationGate(
        _ experience: JSObject, _ visitor: inout Visitor, _ call: Call, _ effects: inout [DecisionEffect]
    ) -> Decision.Reason? {
        if call.options.ignoresLocationProperties { return nil }
        if call.options.locationProperties == nil && semantics == .javaScript { return .missingLocationProperties }
        let properties = call.options.locationProperties ?? [:]
        if experience["locations"]?.arrayValue?.isEmpty == false {
            return locations(of: experience, properties, &visitor, call, &effects)
        }
        guard let siteArea = experience["site_area"], siteArea.isTruthy else { return nil }
        guard let passes = try? rules.pass(siteArea, properties) else {
            return semantics == .javaScript ? .malformedRules : .locationNotMatched
        }
        return passes ? nil : .locationNotMatched
    }

    private func locations(
        of experience: JSObject, _ properties: JSObject, _ visitor: inout Visitor, _ call: Call,
        _ effects: inout [DecisionEffect]
    ) -> Decision.Reason? {
        let attached = attached("locations", of: experience, among: "locations")
        if attached.isEmpty { return .locationNotMatched }
        var present = (visitor.state["locations"]?.arrayValue ?? []).map(\.stringValue)
        var changes: [DecisionEffect] = []
        var isMatched = false
        for (index, location) in attached {
            guard let graph = location["rules"], graph.isTruthy else { continue }
            guard let passes = try? rules.pass(graph, properties) else {
                if semantics != .javaScript { continue }
                if visitor.state["locations"] != nil { store(present, &visitor, call, &effects) }
                if !call.isPreviewing { effects += changes }
                return .malformedRules
            }
            let hasName = call.identity == "id" || location["key"] != nil && location["key"] != .null
            let name = hasName ? text(call.identity, of: location) : nil
            let place = present.firstIndex { $0.map { PropertyKey($0) } == name.map { PropertyKey($0) } }
            if passes {
                isMatched = true
                if place == nil {
                    present.append(name)
                    changes.append(.locationActivated(index))
                }
            } else if let place {
                present.remove(at: place)
                changes.append(.locationDeactivated(index))
            }
        }
        store(present, &visitor, call, &effects)
        if !call.isPreviewing { effects += changes }
        return isMatched ? nil : .locationNotMatched
    }

    private func store(
        _ present: [String?], _ visitor: inout Visitor, _ call: Call, _ effects: inout [DecisionEffect]
    ) {
        let list = JSValue.array(present.map { $0.map(JSValue.string) ?? .null })
        guard call.stores, visitor.state["locations"] != list else { return }
        visitor.state["locations"] = list
        effects.append(.store(.locations(present)))
    }

    private func audienceGate(
        _ experience: JSObject, _ visitor: Visitor, _ call: Call, isBucketed: Bool
    ) -> Decision.Reason? {
        var (checked, matched) = (0, 0)
        for (_, audience) in attached("audiences", of: experience, among: "audiences") {
            if isBucketed && audience["type"] == "permanent" { continue }
            checked += 1
            do {
                if try passes(audience, visitor, call) { matched += 1 }
            } catch {
                if semantics == .javaScript { return .malformedRules }
            }
        }
        if checked == 0 { return nil }
        let options = experience.object("settings")["matching_options"]
        if semantics == .javaScript && (options == nil || options == .null) { return .missingSettings }
        let needsAll = options?.objectValue?["audiences"] == "all"
        return (needsAll ? matched == checked : matched > 0) ? nil : .audienceNotMatched
    }

    private func passes(_ audience: JSObject, _ visitor: Visitor, _ call: Call) throws -> Bool {
        guard let graph = audience["rules"], graph.isTruthy else { return false }
        if let exclusion = exclusion(in: graph) {
            let target = first("key", ECMAScript.toString(exclusion["value"]))
            let id = target.map { text("id", of: entities("experiences")[$0]) }
            let isIn = id.flatMap { visitor.state.object("bucketing")[$0] }?.isTruthy ?? false
            let isNegated = exclusion.object("matching")["negated"]?.isTruthy ?? false
            return isIn != isNegated
        }
        return try rules.pass(graph, call.properties)
    }

    /// The first leaf that asks whether the visitor is in an experience.
    private func exclusion(in graph: JSValue) -> JSObject? {
        for block in graph.objectValue?["OR"]?.arrayValue ?? [] {
            for clause in block.objectValue?["AND"]?.arrayValue ?? [] {
                for leaf in clause.objectValue?["OR_WHEN"]?.arrayValue ?? []
                where leaf.objectValue?["rule_type"] == "bucketed_into_experience_key" { return leaf.objectValue }
            }
        }
        return nil
    }

    private func isStored(_ id: JSValue?, _ visitor: Visitor) -> Bool {
        guard let id, id.isTruthy else { return false }
        switch visitor.state.object("segments")["customSegments"] {
        case .array(let ids): return ids.contains { $0.isStrictlyEqual(to: id) }
        case .string(let text): return text.contains(ECMAScript.toString(id))
        default: return false
        }
    }

    // MARK: Selection

    private func select(
        _ experience: JSObject, _ visitor: inout Visitor, _ call: Call, _ effects: [DecisionEffect]
    ) -> Voice {
        let id = text("id", of: experience)
        let numericIDs = semantics != .javaScript
        var voice = Voice(experienceID: id, effects: effects)
        let forced = call.options.forcedVariationID.flatMap {
            $0.isEmpty ? nil : variation($0, of: experience, numericIDs: numericIDs)
        }
        let forcedID = forced.map { text("id", of: $0) }
        if let stored = storedVariation(experience, visitor).map({ text("id", of: $0) }),
            forcedID == nil || forcedID == stored
        {
            (voice.source, voice.variationID) = (.stored, stored)
            return voice
        }
        let value = NaiveBucketing.value(of: id + visitor.id)
        let arm = NaiveBucketing.arm(for: value, version: experience["version"], variations(of: experience))
        guard let selected = forced?["id"] ?? arm else { return Voice(reason: .notBucketed, effects: effects) }
        record(selected, experience, &visitor, call, &voice)
        let found = forced ?? variation(ECMAScript.toString(selected), of: experience, numericIDs: numericIDs)
        guard let found else {
            return Voice(reason: .variationNotFound, effects: voice.effects)
        }
        voice.source = forced == nil ? .bucketed : .forced
        voice.variationID = text("id", of: found)
        voice.allocation = arm == nil ? nil : value
        return voice
    }

    private func record(
        _ selected: JSValue, _ experience: JSObject, _ visitor: inout Visitor, _ call: Call, _ voice: inout Voice
    ) {
        let id = text("id", of: experience)
        var segments = visitor.state["segments"]?.objectValue
        if semantics == .javaScript, case .string("RuleData")? = call.properties["name"] { segments = [:] }
        if call.stores {
            // Ids are keys of an object in the packed layout, hence text.
            let isAnchored = (experience["version"].map { ECMAScript.toNumber($0) } ?? .nan) > 11
            let stored = isAnchored ? selected : .string(ECMAScript.toString(selected))
            var bucketing = visitor.state.object("bucketing")
            bucketing[id] = stored
            visitor.state["bucketing"] = .object(bucketing)
            voice.effects.append(.store(.bucketing(experienceID: PropertyKey(id), variationID: stored)))
            if call.options.updatesVisitorProperties {
                visitor.state.merge(segments: call.properties)
                voice.effects.append(.store(.segments(call.properties)))
            }
        }
        if call.tracks {
            let event = TrackingEvent.bucketing(experienceID: id, variationID: ECMAScript.toString(selected))
            voice.effects.append(.track(event, segments: segments))
        }
    }
}

/// What one engine answers for one experience, in a form that all of them can give.
struct Voice: Equatable {
    var reason: Decision.Reason?
    var source: BucketedVariation.Source?
    var experienceID: String?
    var variationID: String?
    var allocation: Int?
    var effects: [DecisionEffect] = []
}

extension Voice {
    /// For one decision among several, whose effects come together, `effects` is empty.
    init(_ decision: Decision, effects: [DecisionEffect] = []) {
        let variation = decision.variation
        self.init(
            reason: decision.reason, source: variation?.source, experienceID: variation?.experienceID,
            variationID: variation?.variationID, allocation: variation?.bucketingAllocation,
            effects: effects)
    }
}

extension JSObject {
    /// The member that is an object, or an empty one.
    fileprivate func object(_ name: String) -> JSObject { self[name]?.objectValue ?? JSObject() }

    fileprivate mutating func merge(segments: JSObject) {
        self["segments"] = .object(object("segments").deepMerging(segments))
    }
}

internal import ConvertECMAScript

extension ConfigDifference {
    /// The difference as `diff --json` prints it; `convert-sdk schema diff` describes the members.
    public var json: String {
        var members: JSObject = [
            "experiences": .array(experiences.map(\.value)), "features": .array(features.map(\.value)),
            "headline": .string(headline), "disturbed": .array(disturbed.map { .string($0.key) }),
            "goals": .array(goals.map { ["oldKey": .string($0.oldKey), "key": JSValue($0.key)] }),
            "segments": .array(segments.map { ["oldKey": .string($0.oldKey), "key": JSValue($0.key)] }),
            "rules": .array(
                rules.map {
                    [
                        "owner": .string($0.owner.rawValue), "key": .string($0.key),
                        "change": .string($0.change.rawValue),
                        "experiences": .array($0.experiences.map { .string($0) }),
                    ]
                }),
        ]
        if let sampledOneIn { members["sampledOneIn"] = .integer(sampledOneIn) }
        if let visitorCount { members["visitors"] = .integer(visitorCount) }
        if let visitorEnvironment { members["environment"] = .string(visitorEnvironment) }
        return ECMAScript.jsonText(keepingNumbersOf: .object(members))
    }
}

extension ConfigDifference.Experience {
    fileprivate var value: JSValue {
        var members: JSObject = [
            "key": .string(key), "change": .string(change.rawValue), "moved": .number(moved),
            "moves": .array(moves.map(\.value)), "movedOf": .string(basis.isOfAdmitted ? "admitted" : "rules"),
            "shareUnknown": .bool(basis.isIncomplete),
            "stored": [
                "moved": .number(storedMoved), "moves": .array(storedMoves.map(\.value)),
                "shareUnknown": .bool(basis.isStoredIncomplete),
                "audience": .string(storedAudience.rawValue), "enters": storedEnters?.value ?? .null,
                "leaves": storedLeaves?.value ?? .null, "entersEnvironment": JSValue(storedEntersEnvironment),
                "leavesEnvironment": JSValue(storedLeavesEnvironment),
            ],
            "audience": .string(audience.rawValue), "enters": enters?.value ?? .null, "leaves": leaves?.value ?? .null,
        ]
        if !undealtMoves.isEmpty {
            members["undealtMoves"] = .array(
                undealtMoves.map { ["from": .string($0.from), "to": JSValue($0.to)] })
        }
        if let ids { members["ids"] = .array(ids.map { .string($0) }) }
        if let shadowingID { members["shadowingId"] = .string(shadowingID) }
        if let unknownEnvironment { members["unknownEnvironment"] = .string(unknownEnvironment) }
        if let entersEnvironment { members["entersEnvironment"] = .string(entersEnvironment) }
        if let leavesEnvironment { members["leavesEnvironment"] = .string(leavesEnvironment) }
        if let movedEnvironment = basis.environment { members["movedEnvironment"] = .string(movedEnvironment) }
        if let admittedBefore = basis.admittedBefore { members["admittedBefore"] = .number(admittedBefore) }
        if let admittedAfter = basis.admittedAfter { members["admittedAfter"] = .number(admittedAfter) }
        if !newlyAssigned.isEmpty {
            members["newlyAssigned"] = .array(
                newlyAssigned.map {
                    [
                        "variation": .string($0.variation), "share": .number($0.share),
                        "allocated": .number($0.allocated),
                    ]
                })
        }
        if !reordered.isEmpty { members["reordered"] = .array(reordered.map { .string($0) }) }
        if let dependence {
            members["dependsOn"] = .array(dependence.dependsOn.map { .string($0) })
            members["dependence"] = [
                "change": .string(dependence.change.rawValue),
                "newVisitors": .string(dependence.newVisitors.rawValue),
                "admittedBefore": dependence.admittedBefore.map { .number($0) } ?? .null,
                "admittedAfter": dependence.admittedAfter.map { .number($0) } ?? .null,
                "enters": dependence.enters?.value ?? .null, "leaves": dependence.leaves?.value ?? .null,
                "entersEnvironment": JSValue(dependence.entersEnvironment),
                "leavesEnvironment": JSValue(dependence.leavesEnvironment),
            ]
        }
        if !renamedVariations.isEmpty {
            members["renamedVariations"] = .array(
                renamedVariations.map { ["from": .string($0.from), "to": .string($0.to)] })
        }
        if !lostDecisions.isEmpty {
            members["lostDecisions"] = .array(
                lostDecisions.map {
                    ["variation": .string($0.variation), "id": .string($0.id), "newId": JSValue($0.newID)]
                })
        }
        if let disturbance { members["disturbance"] = .string(disturbance.rawValue) }
        if let obstacle { members["obstacle"] = .string(obstacle) }
        if !excludedFrom.isEmpty { members["excludedFrom"] = .array(excludedFrom.map { .string($0) }) }
        if isExchanged { members["exchanged"] = true }
        if let oldKey { members["oldKey"] = .string(oldKey) }
        if let environments { members["environments"] = .array(environments.map { .string($0) }) }
        if let population {
            var counts: JSObject = [
                "moved": .integer(population.moved), "unknowable": .integer(population.unknowable),
                "moves": .array(
                    population.moves.map {
                        ["from": JSValue($0.from), "to": JSValue($0.to), "count": .integer($0.count)]
                    }),
            ]
            if let kept = population.kept { counts["kept"] = .integer(kept) }
            members["population"] = .object(counts)
        }
        return .object(members)
    }
}

extension ConfigDifference.Move {
    fileprivate var value: JSValue { ["from": JSValue(from), "to": JSValue(to), "share": .number(share)] }
}

extension ConfigDifference.Feature {
    fileprivate var value: JSValue {
        var members: JSObject = [
            "key": .string(key), "change": .string(change.rawValue),
            "experiences": .array(experiences.map { .string($0) }),
            "values": .array(
                values.map { values in
                    [
                        "experience": .string(values.experience), "variation": .string(values.variation),
                        "before": JSValue(values.before), "after": JSValue(values.after),
                        "dealtBefore": .bool(values.isDealtBefore), "dealtAfter": .bool(values.isDealtAfter),
                    ]
                }),
        ]
        if let oldKey { members["oldKey"] = .string(oldKey) }
        if let lostKey { members["lostKey"] = .string(lostKey) }
        if !recipients.isEmpty {
            members["recipients"] = .array(
                recipients.map { recipients in
                    [
                        "experience": .string(recipients.experience), "moved": .number(recipients.moved),
                        "storedMoved": .number(recipients.storedMoved), "entered": .bool(recipients.isEntered),
                        "left": .bool(recipients.isLeft), "losesDecisions": .bool(recipients.losesDecisions),
                    ]
                })
        }
        if let order {
            members["order"] = [
                "experiences": .array(order.experiences.map { .string($0) }),
                "moved": order.moved.map { .number($0) } ?? .null, "visitor": order.visitor?.value ?? .null,
                "environment": JSValue(order.environment),
            ]
        }
        if let population {
            members["population"] = [
                "moved": .integer(population.moved), "unknowable": .integer(population.unknowable),
            ]
        }
        return .object(members)
    }
}

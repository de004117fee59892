/// RepeatMatcher (ECMA-262, 22.2.2.3.1).
extension ProgramCompiler {
    mutating func compileRepetition(_ index: Int, _ way: Way) {
        var repetition = tree.repetitions[index]
        if way.isEmpty {
            // All mandatory iterations match what one iteration matches, and further iterations fail.
            if repetition.minimum > 0 { tasks.append(contentsOf: iteration(of: repetition, way).reversed()) }
            return
        }
        if isWrittenOut { repetition = WrittenOut.simplified(repetition, in: tree, analysis) }
        let body = analysis[repetition.body]
        if body.maximumLength == 0 {
            // Iterations beyond the minimum would consume nothing and fail. All mandatory iterations match what one
            // iteration matches.
            repetition.minimum = min(repetition.minimum, 1)
            repetition.maximum = repetition.minimum
        }
        guard repetition.maximum > 0 else { return }
        if !isWrittenOut, let set = singleSet(repetition.body) {
            runs.append(
                .init(
                    set: set, minimum: repetition.minimum, maximum: repetition.maximum,
                    isGreedy: repetition.isGreedy, isBackward: way.isBackward))
            emit(.run(UInt32(runs.count - 1)))
        } else if isWrittenOut || unrolls[index] {
            unroll(repetition, canBeEmpty: body.minimumLength == 0, way)
        } else {
            count(repetition, canBeEmpty: body.minimumLength == 0, way)
        }
    }

    private mutating func singleSet(_ node: PatternTree.NodeIndex) -> UInt32? {
        switch tree[node] {
        case .set(let set): return set
        case .unit(let unit): return unitSet(unit)
        default: return nil
        }
    }

    private func iteration(of repetition: PatternTree.Repetition, _ way: Way) -> [Task] {
        let groups = repetition.groups
        let reset = Instruction.resetGroups(first: UInt32(groups.lowerBound), end: UInt32(groups.upperBound))
        return (groups.isEmpty ? [] : [.emit(reset)]) + [.node(repetition.body, way)]
    }

    private mutating func unroll(_ repetition: PatternTree.Repetition, canBeEmpty: Bool, _ way: Way) {
        let exit = makeLabel()
        let iteration = iteration(of: repetition, way)
        // The last mandatory iteration is also the loop's body, so that the sizes of nested loops add up instead of
        // multiplying.
        let ending = ending(repetition, canBeEmpty, exit, way)
        var list: [Task] = []
        for _ in 0..<(ending == nil ? repetition.minimum : repetition.minimum - 1) { list += iteration }
        if let ending {
            list += ending
        } else {
            let isUnbounded = repetition.maximum == Int.max
            for _ in 0..<(isUnbounded ? 1 : repetition.maximum - repetition.minimum) {
                let (head, body) = (makeLabel(), makeLabel())
                list += [.enterLoop(canBeEmpty: canBeEmpty, isCounted: false), .bind(head)]
                list += [choice(repetition, body, exit), .bind(body)]
                list += canBeEmpty ? consuming(iteration) : iteration
                if isUnbounded { list.append(.emit(.jump(head))) }
                list.append(.leaveLoop(canBeEmpty: canBeEmpty, isCounted: false))
            }
        }
        list.append(.bind(exit))
        tasks.append(contentsOf: list.reversed())
    }

    /// The last mandatory iteration of `repetition` together with all later iterations, with one copy of the body;
    /// `nil` if there are no such iterations, or if a back reference could notice the difference.
    ///
    /// Only a mandatory iteration may be empty. If it is empty, the later iterations find what it could have found, and
    /// reset its captures. So an empty iteration can always be treated as the last iteration. In a greedy loop, an
    /// empty iteration is tried after all others. In a lazy loop, the body's preference determines its place, so the
    /// executor decides. None of this holds with back references, because they read captures.
    private mutating func ending(
        _ repetition: PatternTree.Repetition, _ canBeEmpty: Bool, _ exit: Label, _ way: Way
    ) -> [Task]? {
        guard repetition.maximum == Int.max, repetition.minimum > 0 else { return nil }
        let iteration = iteration(of: repetition, way)
        let body = makeLabel()
        guard canBeEmpty else {
            return [.enterLoop(canBeEmpty: false, isCounted: false), .bind(body)] + iteration
                + [choice(repetition, body, exit), .leaveLoop(canBeEmpty: false, isCounted: false)]
        }
        guard isWrittenOut else { return nil }
        guard repetition.isGreedy else { return lazyEnding(repetition, iteration, body, exit) }
        let empty = makeLabel()
        return [choice(repetition, body, empty), .bind(body)] + consuming(iteration)
            + [choice(repetition, body, exit), .bind(empty)]
            + self.iteration(of: repetition, Way(isBackward: way.isBackward, isEmpty: true))
    }

    private mutating func lazyEnding(
        _ repetition: PatternTree.Repetition, _ iteration: [Task], _ body: Label, _ exit: Label
    ) -> [Task] {
        let head = makeLabel()
        let index = UInt32(loops.count)
        loops.append(
            .init(
                counter: 0, start: nil, minimum: 1, maximum: Int.max, isGreedy: false, groups: repetition.groups,
                head: head, body: body, exit: exit))
        return [.bind(head), .emit(.loop(index)), .bind(body)] + iteration + [.emit(.endIteration(index))]
    }

    /// Chooses between another iteration at `body` and continuing at `exit`.
    private func choice(_ repetition: PatternTree.Repetition, _ body: Label, _ exit: Label) -> Task {
        repetition.isGreedy
            ? .emit(.split(body, exit, remembers: false)) : .emit(.split(exit, body, remembers: false))
    }

    /// `iteration`, made to fail if it consumes nothing.
    private mutating func consuming(_ iteration: [Task]) -> [Task] {
        let start = makeRegister()
        return [.emit(.save(start))] + iteration + [.emit(.checkProgress(start))]
    }

    private mutating func count(_ repetition: PatternTree.Repetition, canBeEmpty: Bool, _ way: Way) {
        let (head, body, exit) = (makeLabel(), makeLabel(), makeLabel())
        let index = UInt32(loops.count)
        loops.append(
            .init(
                counter: makeRegister(), start: canBeEmpty ? makeRegister() : nil, minimum: repetition.minimum,
                maximum: repetition.maximum, isGreedy: repetition.isGreedy, groups: repetition.groups, head: head,
                body: body, exit: exit))
        // Inside the loop, the counter is part of every state: a failure with one count says nothing about the same
        // position with another count.
        push(
            .emit(.enterLoop(index)), .enterLoop(canBeEmpty: canBeEmpty, isCounted: true), .bind(head),
            .emit(.loop(index)), .bind(body), .emit(.startIteration(index)),
            .node(repetition.body, way), .emit(.endIteration(index)),
            .leaveLoop(canBeEmpty: canBeEmpty, isCounted: true), .bind(exit))
    }

    private mutating func unitSet(_ unit: UInt16) -> UInt32 {
        if let index = unitSets[unit] { return index }
        let index = UInt32(sets.count)
        sets.append(CharacterSet(unit))
        unitSets[unit] = index
        return index
    }
}

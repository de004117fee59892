/// ClassSetExpression: classes with the flag `v` (ECMA-262, 22.2.1).
extension PatternParser {
    private enum Operand {
        case point(UInt32)
        case contents(ClassContents)
    }

    /// The class at `position`, in canonical code points where case is ignored. `depth` classes are around it.
    mutating func parseSetClass(depth: Int) throws(RegExpSyntaxError) -> ClassContents {
        let offset = position
        guard depth < RegExpLimits.classNesting else { throw RegExpSyntaxError(.nestedTooDeep, at: offset) }
        position += 1
        let isInverted = accept("^")
        var contents = ClassContents(.empty)
        if !accept("]") {
            let start = position
            let first = try parseOperand(offset, depth)
            if isNext("&", "&") || isNext("-", "-") {
                contents = try parseOperators(after: value(of: first), offset, depth)
            } else {
                contents = try parseUnion(from: first, at: start, offset, depth)
            }
        }
        guard isInverted else { return contents }
        guard !contents.mayContainStrings else { throw RegExpSyntaxError(.invertedStrings, at: offset) }
        return ClassContents(complement(of: contents.points))
    }

    /// ClassIntersection or ClassSubtraction, up to the closing bracket.
    private mutating func parseOperators(
        after first: ClassContents, _ offset: Int, _ depth: Int
    ) throws(RegExpSyntaxError) -> ClassContents {
        var result = first
        let isIntersection = current == "&"
        while !accept("]") {
            guard isIntersection ? isNext("&", "&") && peek(2) != "&" : isNext("-", "-") else {
                throw RegExpSyntaxError(position < units.count ? .invalidClass : .unterminatedClass, at: offset)
            }
            position += 2
            let other = value(of: try parseOperand(offset, depth))
            chargeClassWork(result.points.bounds.count + result.strings.count + other.points.bounds.count)
            try checkClassWork()
            if isIntersection { result.formIntersection(other) } else { result.subtract(other) }
        }
        return result
    }

    /// ClassUnion, up to the closing bracket.
    private mutating func parseUnion(
        from first: Operand, at firstStart: Int, _ offset: Int, _ depth: Int
    ) throws(RegExpSyntaxError) -> ClassContents {
        var result = ClassContents(.empty)
        var ranges: [ClosedRange<UInt32>] = []
        var operand = first
        var start = firstStart
        while true {
            switch operand {
            case .point(let low) where current == "-":
                guard !isNext("-", "-") else { throw RegExpSyntaxError(.invalidClass, at: offset) }
                position += 1
                guard case .point(let high) = try parseOperand(offset, depth) else {
                    throw RegExpSyntaxError(.invalidClass, at: offset)
                }
                guard low <= high else { throw RegExpSyntaxError(.rangeOutOfOrder, at: start) }
                ranges.append(low...high)
            case .point(let point): ranges.append(point...point)
            case .contents(let contents):
                chargeClassWork(result.points.bounds.count + result.strings.count)
                result.formUnion(contents)
            }
            if accept("]") { break }
            guard !isNext("&", "&"), !isNext("-", "-") else { throw RegExpSyntaxError(.invalidClass, at: offset) }
            try checkClassWork()
            start = position
            operand = try parseOperand(offset, depth)
        }
        result.points = result.points.union(canonical(CodePointSet(ranges: ranges)))
        return result
    }

    /// ClassSetOperand.
    private mutating func parseOperand(_ offset: Int, _ depth: Int) throws(RegExpSyntaxError) -> Operand {
        guard position < units.count else { throw RegExpSyntaxError(.unterminatedClass, at: offset) }
        switch current {
        case "[": return .contents(try parseSetClass(depth: depth + 1))
        case "\\":
            if peek(1) == "q" { return .contents(try parseStringDisjunction()) }
            if let contents = try parseUnicodeClassEscape() { return .contents(contents) }
            return .point(try parseSetCharacter(offset))
        default: return .point(try parseSetCharacter(offset))
        }
    }

    /// `\q{abc|d|}`.
    private mutating func parseStringDisjunction() throws(RegExpSyntaxError) -> ClassContents {
        let offset = position
        position += 2
        guard accept("{") else { throw RegExpSyntaxError(.invalidEscape, at: offset) }
        var texts: [[UInt32]] = [[]]
        while !accept("}") {
            guard position < units.count else { throw RegExpSyntaxError(.invalidEscape, at: offset) }
            if accept("|") {
                texts.append([])
            } else {
                texts[texts.count - 1].append(try parseSetCharacter(offset))
            }
        }
        return ClassContents(texts: texts.map(canonical))
    }

    /// ClassSetCharacter.
    private mutating func parseSetCharacter(_ offset: Int) throws(RegExpSyntaxError) -> UInt32 {
        switch current {
        case "\\":
            guard peek(1) == "b" else { return try parseUnicodeCharacterEscape(inClass: true) }
            position += 2
            return 0x08
        case "(", ")", "[", "]", "{", "}", "/", "-", "|": throw RegExpSyntaxError(.invalidClass, at: position)
        case let scalar? where scalar == peek(1) && "&!#$%*+,.:;<=>?@^`~".unicodeScalars.contains(scalar):
            throw RegExpSyntaxError(.invalidClass, at: position)
        default: return readPoint()
        }
    }

    private func value(of operand: Operand) -> ClassContents {
        switch operand {
        case .point(let point): ClassContents(canonical(CodePointSet(point)))
        case .contents(let contents): contents
        }
    }

    private func isNext(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
        current == first && peek(1) == second
    }
}

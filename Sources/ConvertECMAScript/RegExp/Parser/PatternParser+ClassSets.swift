/// ClassSetExpression: classes with the flag `v` (ECMA-262, 22.2.1).
extension PatternParser {
    private enum Operand {
        case point(UInt32)
        case contents(ClassContents)
    }

    /// A class whose end has not been reached.
    private struct OpenClass {
        enum Form {
            case union, intersection, subtraction
        }

        /// The offset of the class's `[`.
        let offset: Int
        let isInverted: Bool
        /// The form of the class, known after the first operand.
        var form: Form?
        var contents = ClassContents(.empty)
        /// Ranges that are not in `contents` yet.
        var ranges: [ClosedRange<UInt32>] = []
        /// The start of the latest operand or range of a union.
        var start: Int
        /// The lower bound of a range whose upper bound is expected.
        var low: UInt32?
    }

    /// The class at `position`, in canonical code points if case is ignored.
    ///
    /// Open classes are on an explicit stack, so nesting takes no call stack.
    mutating func parseSetClass() throws(RegExpSyntaxError) -> ClassContents {
        var openClasses: [OpenClass] = []
        while true {
            var operand: Operand
            if current == "[" {
                let opened = try openClass(depth: openClasses.count)
                guard accept("]") else {
                    openClasses.append(opened)
                    continue
                }
                operand = .contents(try close(opened))
            } else {
                operand = try parseOperand(openClasses.last?.offset ?? position)
            }
            // A class that ends here is an operand of the surrounding class.
            while true {
                guard var around = openClasses.popLast() else { return value(of: operand) }
                guard try add(operand, to: &around) else {
                    openClasses.append(around)
                    break
                }
                operand = .contents(try close(around))
            }
        }
    }

    private mutating func openClass(depth: Int) throws(RegExpSyntaxError) -> OpenClass {
        let offset = position
        guard depth < RegExpLimits.classNesting else { throw RegExpSyntaxError(.nestedTooDeep, at: offset) }
        position += 1
        let isInverted = accept("^")
        return OpenClass(offset: offset, isInverted: isInverted, start: position)
    }

    private func close(_ openClass: OpenClass) throws(RegExpSyntaxError) -> ClassContents {
        var contents = openClass.contents
        if !openClass.ranges.isEmpty {
            contents.points = contents.points.union(canonical(CodePointSet(ranges: openClass.ranges)))
        }
        guard openClass.isInverted else { return contents }
        guard !contents.mayContainStrings else { throw RegExpSyntaxError(.invertedStrings, at: openClass.offset) }
        return ClassContents(complement(of: contents.points))
    }

    /// Adds an operand, and reads up to the next operand. Returns whether the class ends before it.
    private mutating func add(_ operand: Operand, to openClass: inout OpenClass) throws(RegExpSyntaxError) -> Bool {
        let form = openClass.form
        if form == nil {
            openClass.form = isNext("&", "&") ? .intersection : isNext("-", "-") ? .subtraction : .union
        }
        guard openClass.form != .union else { return try addToUnion(operand, &openClass) }
        let contents = value(of: operand)
        if form == nil {
            openClass.contents = contents
        } else {
            let points = openClass.contents.points.bounds.count + contents.points.bounds.count
            chargeClassWork(points + openClass.contents.strings.count)
            try checkClassWork()
            if form == .intersection {
                openClass.contents.formIntersection(contents)
            } else {
                openClass.contents.subtract(contents)
            }
        }
        if accept("]") { return true }
        guard openClass.form == .intersection ? isNext("&", "&") && peek(2) != "&" : isNext("-", "-") else {
            throw RegExpSyntaxError(position < units.count ? .invalidClass : .unterminatedClass, at: openClass.offset)
        }
        position += 2
        return false
    }

    /// ClassUnion.
    private mutating func addToUnion(
        _ operand: Operand, _ openClass: inout OpenClass
    ) throws(RegExpSyntaxError) -> Bool {
        switch (operand, openClass.low) {
        case (.point(let high), let low?):
            guard low <= high else { throw RegExpSyntaxError(.rangeOutOfOrder, at: openClass.start) }
            openClass.ranges.append(low...high)
            openClass.low = nil
        case (.contents, .some): throw RegExpSyntaxError(.invalidClass, at: openClass.offset)
        case (.point(let low), nil) where current == "-":
            guard !isNext("-", "-") else { throw RegExpSyntaxError(.invalidClass, at: openClass.offset) }
            position += 1
            openClass.low = low
            return false
        case (.point(let point), nil): openClass.ranges.append(point...point)
        case (.contents(let contents), nil):
            chargeClassWork(openClass.contents.points.bounds.count + openClass.contents.strings.count)
            openClass.contents.formUnion(contents)
        }
        if accept("]") { return true }
        guard !isNext("&", "&"), !isNext("-", "-") else {
            throw RegExpSyntaxError(.invalidClass, at: openClass.offset)
        }
        try checkClassWork()
        openClass.start = position
        return false
    }

    /// A ClassSetOperand other than a class in brackets.
    private mutating func parseOperand(_ offset: Int) throws(RegExpSyntaxError) -> Operand {
        guard position < units.count else { throw RegExpSyntaxError(.unterminatedClass, at: offset) }
        guard current == "\\" else { return .point(try parseSetCharacter(offset)) }
        if peek(1) == "q" { return .contents(try parseStringDisjunction()) }
        if let contents = try parseUnicodeClassEscape() { return .contents(contents) }
        return .point(try parseSetCharacter(offset))
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

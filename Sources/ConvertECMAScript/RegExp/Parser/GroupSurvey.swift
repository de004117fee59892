/// Facts about the whole pattern that the grammar needs before the first term: CountLeftCapturingParensWithin
/// (ECMA-262, 22.2.1.2), and whether there is any GroupName, which makes `\k` a reference everywhere.
struct GroupSurvey {
    var groups = 0
    var hasNames = false

    init(_ units: [UInt16]) {
        var position = 0
        var isInClass = false
        while position < units.count {
            switch Unicode.Scalar(units[position]) {
            case "\\": position += 1
            case "[": isInClass = true
            case "]": isInClass = false
            case "(" where !isInClass:
                guard position + 1 < units.count, units[position + 1] == 0x3f else {
                    groups += 1
                    break
                }
                // `(?<` opens a named group, unless `=` or `!` makes it a lookbehind.
                if position + 3 < units.count, units[position + 2] == 0x3c, units[position + 3] != 0x3d,
                    units[position + 3] != 0x21
                {
                    groups += 1
                    hasNames = true
                }
            default: break
            }
            position += 1
        }
    }
}

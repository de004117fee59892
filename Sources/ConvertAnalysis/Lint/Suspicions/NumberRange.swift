/// Whole numbers in brackets, such as `[1-12]`, which a pattern reads as a class of digits.
struct NumberRange {
    private let bounds: ClosedRange<Int>

    /// `nil` if the members are not a range of numbers, or if they are a plain class of digits: `[0-24]` may mean the
    /// digits 0, 1, 2 and 4.
    ///
    /// - Parameter members: the characters between the brackets.
    init?(_ members: ArraySlice<Character>) {
        let parts = members.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ (1...4).contains($0.count) && $0.allSatisfy(\.isASCIIDigit) }),
            let low = Int(String(parts[0])), let high = Int(String(parts[1])), low < high,
            let start = parts[0].last, let end = parts[1].first, start <= end
        else { return nil }
        // A class names each digit once.
        let others = parts[0].dropLast() + parts[1].dropFirst()
        let isRepeated = others.contains { (start...end).contains($0) } || Set(others).count < others.count
        guard !others.isEmpty, isRepeated || start == end else { return nil }
        bounds = low...high
    }

    /// A pattern that matches exactly these numbers.
    var pattern: String {
        var parts: [String] = []
        var start = bounds.lowerBound
        while start <= bounds.upperBound {
            // The largest block of numbers with all last digits.
            var size = 1
            while start % (size * 10) == 0, start >= size * 10, start + size * 10 - 1 <= bounds.upperBound {
                size *= 10
            }
            let first = start / size % 10
            var last = first
            while last < 9, start + (last - first + 2) * size - 1 <= bounds.upperBound { last += 1 }
            let head = start / size / 10
            let digit = first == last ? "\(first)" : "[\(first)-\(last)]"
            let zeros = "\(size)".count - 1
            parts.append((head == 0 ? "" : "\(head)") + digit + String(repeating: "[0-9]", count: zeros))
            start += (last - first + 1) * size
        }
        return "(?:\(parts.joined(separator: "|")))"
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { "0"..."9" ~= self }
}

import ConvertSwiftSDKCore

extension ExplanationTree {
    /// Prints the tree, with colors if the output shows them.
    func printTree() { for line in lines { Console.print(line.styled) } }
}

extension ExplanationLine {
    /// The line, with colors if the output shows them.
    var styled: ConsoleText {
        let margin = String(repeating: "  ", count: depth)
        guard let mark else { return "\(margin)\(text)" }
        return "\(margin)\(mark.styled) \(text)"
    }
}

extension ExplanationLine.Mark {
    fileprivate var styled: ConsoleText {
        switch self {
        case .holds: rawValue.styled(.good)
        case .fails: rawValue.styled(.bad)
        case .isOdd: rawValue.styled(.doubtful)
        }
    }
}

import ConvertSwiftSDKCore

extension ExplanationTree {
    /// Prints the tree, with colours where the output shows them.
    func printTree() { for line in lines { Console.print(line.describe(\.styled)) } }
}

extension ExplanationLine.Mark {
    /// The mark as it is printed.
    var styled: String {
        switch self {
        case .holds: rawValue.styled(.good)
        case .fails: rawValue.styled(.bad)
        case .isOdd: rawValue.styled(.doubtful)
        }
    }
}

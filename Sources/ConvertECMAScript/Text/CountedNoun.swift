extension Int {
    /// The number and a noun, such as `1 event` and `2 events`.
    package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

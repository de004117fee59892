extension Substring {
    /// The text without blank scalars at both ends.
    func trimmed(_ isBlank: (Unicode.Scalar) -> Bool) -> Substring {
        let start = unicodeScalars.drop(while: isBlank)
        guard let last = start.lastIndex(where: { !isBlank($0) }) else { return "" }
        return Substring(start[...last])
    }
}

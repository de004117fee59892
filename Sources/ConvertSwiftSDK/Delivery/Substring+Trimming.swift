extension Substring {
    /// The text between the scalars at both ends that are blank.
    func trimmed(_ isBlank: (Unicode.Scalar) -> Bool) -> Substring {
        let start = unicodeScalars.drop(while: isBlank)
        guard let last = start.lastIndex(where: { !isBlank($0) }) else { return "" }
        return Substring(start[...last])
    }
}

internal import ConvertECMAScript

/// What an archive holds in which something is missing, in a few words: files that may be the missing one with their paths,
/// of the rest what is at the top.
struct ArchiveContents: CustomStringConvertible {
    /// The most names in the description.
    private static let nameLimit = 5

    let description: String

    /// The contents of an archive with files at `paths`, among which `wanted` is missing.
    init(paths: [String], wanted: String) {
        let isCandidate: (String) -> Bool = { path in
            let file = path.utf8.split(separator: UInt8(ascii: "/")).last
            return file.map { String(Substring($0)).mayStand(for: wanted) } == true
        }
        let candidates = paths.filter(isCandidate).sorted()
        let others = Set(paths.filter { !isCandidate($0) }.map(Self.top)).sorted()
        let names = (candidates + others).map { "'\($0.excerpt(80))'" }
        var shown = names.count > Self.nameLimit + 1 ? Array(names.prefix(Self.nameLimit)) : names
        if shown.count < names.count { shown.append("\(names.count - shown.count) more") }
        switch shown.count {
        case 0: description = "no files"
        case 1: description = shown[0]
        default: description = shown.dropLast().joined(separator: ", ") + " and " + shown[shown.count - 1]
        }
    }

    /// The file at the top, or the folder at the top that holds the file.
    private static func top(of path: String) -> String {
        guard let slash = path.utf8.firstIndex(of: UInt8(ascii: "/")) else { return path }
        return path[...slash] + "…"
    }
}

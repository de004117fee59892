internal import ConvertECMAScript

/// A short description of an archive in which a file is missing: the paths of files that may be the missing file, and
/// the other names at the top level.
struct ArchiveContents: CustomStringConvertible {
    /// The maximum number of names in the description.
    private static let nameLimit = 5

    let description: String

    /// Creates the description of an archive with files at `paths`, in which `wanted` is missing.
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

    /// The name at the top level: the file, or the folder that contains the file.
    private static func top(of path: String) -> String {
        guard let slash = path.utf8.firstIndex(of: UInt8(ascii: "/")) else { return path }
        return path[...slash] + "…"
    }
}

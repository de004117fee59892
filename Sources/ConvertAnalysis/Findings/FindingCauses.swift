internal import ConvertECMAScript

/// Finds the first cause of each finding.
struct FindingCauses {
    /// The index of each finding's first cause; a cause has its own index.
    private(set) var roots: [Int]

    init(_ findings: [LintFinding]) {
        roots = Array(findings.indices)
        let causes = findings.indices.filter { findings[$0].code.isCause }
            .sorted { findings[$0].path.utf8.lexicographicallyPrecedes(findings[$1].path.utf8) }
        let paths = causes.map { Array(findings[$0].path.utf8) }
        for index in findings.indices where !findings[index].origins.isEmpty {
            for origin in findings[index].origins {
                let start = Array(origin.utf8)
                var place = paths.indices.partitioningIndex { !paths[$0].lexicographicallyPrecedes(start) }
                while place < paths.count, paths[place].starts(with: start) {
                    defer { place += 1 }
                    let rest = paths[place].dropFirst(start.count).first
                    // The contents of a member that is never read do not cause other findings.
                    let isOpen = findings[causes[place]].code != .unreadMember
                    let isWithin =
                        rest == nil || isOpen && (rest == UInt8(ascii: ".") || rest == UInt8(ascii: "["))
                    if causes[place] != index, isWithin {
                        roots[index] = causes[place]
                        break
                    }
                }
                if roots[index] != index { break }
            }
        }
        // Causes have causes: an audience causes a finding about an experience, a group one about the audience, a
        // pattern one about the group.
        for index in roots.indices {
            var root = roots[index]
            var steps = 0
            while roots[root] != root, steps < 16 {
                root = roots[root]
                steps += 1
            }
            roots[index] = root
        }
    }
}

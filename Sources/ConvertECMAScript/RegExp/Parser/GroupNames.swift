/// The names declared so far, and the early error for two equal names that might both participate in a match (ECMA-262,
/// 22.2.1.1 and MightBothParticipate, 22.2.1.4).
///
/// Disjunctions and alternatives form a tree. For two groups with the same name, the lowest node above both groups
/// decides. If that node is a disjunction, the groups are in different alternatives, and the name is allowed. If it is
/// an alternative, both groups can participate.
struct GroupNames {
    private struct Scope {
        var parent: Int
        var isAlternative: Bool
        var isOpen: Bool
    }

    private(set) var groups: [PatternTree.NamedGroups] = []
    private var scopes: [Scope] = []
    private var currentScope = -1
    private var indices: [PropertyKey: Int] = [:]
    /// The scope of each name's latest group.
    private var latestScopes: [Int] = []

    subscript(name: String) -> PatternTree.NamedGroups? { indices[PropertyKey(name)].map { groups[$0] } }

    mutating func openDisjunction() {
        push(isAlternative: false)
        push(isAlternative: true)
    }

    mutating func startAlternative() {
        pop()
        push(isAlternative: true)
    }

    mutating func closeDisjunction() {
        pop()
        pop()
    }

    private mutating func push(isAlternative: Bool) {
        scopes.append(Scope(parent: currentScope, isAlternative: isAlternative, isOpen: true))
        currentScope = scopes.count - 1
    }

    private mutating func pop() {
        scopes[currentScope].isOpen = false
        currentScope = scopes[currentScope].parent
    }

    /// Gives `group` its name. Returns `false` if another group with that name might participate in the same match.
    ///
    /// Checking the latest group with the name is enough. Groups are declared in the order of the pattern, so the
    /// lowest node above any two groups is also the lowest node above two neighbours between them.
    mutating func declare(_ name: String, group: Int) -> Bool {
        let key = PropertyKey(name)
        guard let index = indices[key] else {
            indices[key] = groups.count
            groups.append(.init(name: name, numbers: [group]))
            latestScopes.append(currentScope)
            return true
        }
        var scope = latestScopes[index]
        var path: [Int] = []
        while scope >= 0, !scopes[scope].isOpen {
            path.append(scope)
            scope = scopes[scope].parent
        }
        // A closed scope never opens again, so the next look-up skips all closed scopes at once.
        for closed in path { scopes[closed].parent = scope }
        guard scope >= 0, !scopes[scope].isAlternative else { return false }
        groups[index].numbers.append(group)
        latestScopes[index] = currentScope
        return true
    }
}

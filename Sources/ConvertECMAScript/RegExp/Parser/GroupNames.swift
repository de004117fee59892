/// The names declared so far, and the early error of two that might both participate (ECMA-262, 22.2.1.1 and
/// MightBothParticipate, 22.2.1.4).
///
/// Disjunctions and alternatives form a tree. Of two groups with one name, the lowest node above both tells: if it is a
/// disjunction they stand in different alternatives and are allowed; if it is an alternative both can take part.
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

    /// Gives `group` its name; `false` if another group of that name might take part in the same match.
    ///
    /// The latest group of the name is enough to look at: the groups come in the order of the pattern, so the lowest node
    /// above any two of them is the lowest node above some two neighbours between them.
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
        // A closed scope never opens again, so the next look goes past all of them at once.
        for closed in path { scopes[closed].parent = scope }
        guard scope >= 0, !scopes[scope].isAlternative else { return false }
        groups[index].numbers.append(group)
        latestScopes[index] = currentScope
        return true
    }
}

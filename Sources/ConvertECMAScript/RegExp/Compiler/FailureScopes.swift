/// Decides which choices of the backtracker may record that everything after them failed.
///
/// The key of a record is the instruction and the position. A record is valid if nothing else affects the outcome:
/// * Captures affect the outcome only through back references. A choice may therefore record if no back reference can
///   follow it: the choice is after the last back reference, and after every loop around that reference.
/// * A loop's counter affects the outcome, so choices inside a counted loop do not record.
/// * A loop whose body can be empty rejects an iteration that ends where it began, so the start of the iteration seems
///   to affect the outcome. Within one scope it does not. If a visit was rejected at the start of its iteration, the
///   loop's head was entered at this position before. Either the head is still being tried, and a new visit has the
///   same start; or it has failed, and going back to it fails again. A lookaround discards heads that are being tried
///   but have not failed, so such choices inside lookarounds do not record.
///
/// A lookaround's body is a separate scope, and is compiled after the code around it. Code that follows the lookaround
/// does not affect the outcome of the body.
struct FailureScopes {
    private struct Scope {
        var isLookaround: Bool
        var openLoops = 0
        var openEmptyLoops = 0
        var openCountedLoops = 0
        var loopHasReference = false
        /// Choices before this instruction can reach a back reference.
        var reach = 0
    }

    private var scopes = [Scope(isLookaround: false)]
    private var choices: [(instruction: Int, scope: Int)] = []

    private var current: Int { scopes.count - 1 }

    /// The choices that may record, by their instructions.
    var rememberedChoices: [Int] {
        choices.lazy.filter { $0.instruction >= scopes[$0.scope].reach }.map(\.instruction)
    }

    mutating func noteChoice(at instruction: Int) {
        let scope = scopes[current]
        guard scope.openCountedLoops == 0, !scope.isLookaround || scope.openEmptyLoops == 0 else { return }
        choices.append((instruction, current))
    }

    /// Notes a back reference, or a lookaround that contains one.
    mutating func noteReference(at instruction: Int) {
        if scopes[current].openLoops > 0 {
            scopes[current].loopHasReference = true
        } else {
            scopes[current].reach = instruction + 1
        }
    }

    /// Begins the scope of another lookaround's body.
    mutating func beginLookaround() { scopes.append(Scope(isLookaround: true)) }

    mutating func enterLoop(canBeEmpty: Bool, isCounted: Bool) {
        scopes[current].openLoops += 1
        if canBeEmpty { scopes[current].openEmptyLoops += 1 }
        if isCounted { scopes[current].openCountedLoops += 1 }
    }

    mutating func leaveLoop(canBeEmpty: Bool, isCounted: Bool, at instruction: Int) {
        scopes[current].openLoops -= 1
        if canBeEmpty { scopes[current].openEmptyLoops -= 1 }
        if isCounted { scopes[current].openCountedLoops -= 1 }
        if scopes[current].openLoops == 0, scopes[current].loopHasReference {
            scopes[current].loopHasReference = false
            scopes[current].reach = instruction
        }
    }
}

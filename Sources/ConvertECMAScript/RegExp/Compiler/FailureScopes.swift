/// Decides which choices of the backtracker may record that everything after them failed.
///
/// The record's key is the instruction and the position. It is sound where nothing else decides the outcome:
/// * Captures decide only through back references. So a choice may record if no back reference can follow it, that is,
///   if it stands after the last one and after every loop around that.
/// * A loop's counter decides, so no choice inside a counted loop records.
/// * A loop whose body can be empty refuses an iteration that ends where it began, so its start seems to decide. Within
///   one scope it does not: if a visit was refused because it was where its iteration began, then the loop's head was
///   entered there before. Either that head is still being tried, and a new visit has the same start; or it has failed,
///   and going back to it fails again. A lookaround discards heads that are still being tried without their having
///   failed, so there such choices do not record.
///
/// A lookaround's body is a scope of its own, and compiled after what stands around it: what follows the lookaround is not
/// part of its outcome.
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

    /// The choices that may record, by their instruction.
    var rememberedChoices: [Int] {
        choices.lazy.filter { $0.instruction >= scopes[$0.scope].reach }.map(\.instruction)
    }

    mutating func noteChoice(at instruction: Int) {
        let scope = scopes[current]
        guard scope.openCountedLoops == 0, !scope.isLookaround || scope.openEmptyLoops == 0 else { return }
        choices.append((instruction, current))
    }

    /// Takes note of a back reference, or of a lookaround that contains one.
    mutating func noteReference(at instruction: Int) {
        if scopes[current].openLoops > 0 {
            scopes[current].loopHasReference = true
        } else {
            scopes[current].reach = instruction + 1
        }
    }

    /// What follows is the body of another lookaround.
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

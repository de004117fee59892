/// One step of the backtracking executor. Targets are indices of instructions; before linking, numbers of labels.
///
/// An instruction that consumes goes on to the next one or fails. `backward` marks code inside a lookbehind, which reads
/// from right to left.
enum Instruction: Sendable, Equatable {
    /// The whole pattern has matched.
    case match
    /// One unit.
    case unit(UInt16, backward: Bool)
    /// One of two units, the commonest form of a letter whose case is ignored.
    case pair(UInt16, UInt16, backward: Bool)
    /// One unit of a set.
    case set(UInt32, backward: Bool)
    /// A repeated set: `runs[index]`. It takes one entry of the stack, however long it is.
    case run(UInt32)
    /// A test of the position.
    case assertion(PatternTree.Assertion)
    /// Goes on at a target.
    case jump(UInt32)
    /// Goes on at the first target and, if that fails, at the second. `remembers`: whether a failure may be recorded.
    case split(UInt32, UInt32, remembers: Bool)
    /// Stores the position in a register.
    case save(UInt32)
    /// Unsets the captures of the groups from `first` to before `end`.
    case resetGroups(first: UInt32, end: UInt32)
    /// Fails if the iteration that stored its start in a register has consumed nothing.
    case checkProgress(UInt32)
    /// Sets the counter of `loops[index]` to zero.
    case enterLoop(UInt32)
    /// Decides whether `loops[index]` takes another iteration. In a program without counters: begins the first iteration of
    /// a lazy loop, the only one that may be empty.
    case loop(UInt32)
    /// Begins an iteration of `loops[index]`: counts it, stores its start, unsets its captures.
    case startIteration(UInt32)
    /// Ends an iteration of `loops[index]` and goes back to its `loop`. In a program without counters: goes on behind the loop
    /// or, after an iteration that has consumed something, else with another one.
    case endIteration(UInt32)
    /// Goes on at the next instruction if the body of `lookarounds[index]` matches, or does not if that is negative.
    case look(UInt32)
    /// The body of `lookarounds[index]` has matched.
    case endLook(UInt32)
    /// The text that a group of `references[index]` has captured.
    case backReference(UInt32)
}

/// One step of the backtracking executor. Targets are indices of instructions; before linking, they are numbers of
/// labels.
///
/// A consuming instruction continues at the next instruction, or fails. `backward` marks code inside a lookbehind,
/// which reads from right to left.
enum Instruction: Sendable, Equatable {
    /// The whole pattern has matched.
    case match
    /// Consumes one unit.
    case unit(UInt16, backward: Bool)
    /// Consumes one of two units, the most common form of a letter whose case is ignored.
    case pair(UInt16, UInt16, backward: Bool)
    /// Consumes one unit of a set.
    case set(UInt32, backward: Bool)
    /// A repeated set: `runs[index]`. It takes one entry of the stack, regardless of its length.
    case run(UInt32)
    /// A test of the position.
    case assertion(PatternTree.Assertion)
    /// Continues at a target.
    case jump(UInt32)
    /// Continues at the first target and, if that fails, at the second. `remembers`: whether a failure may be recorded.
    case split(UInt32, UInt32, remembers: Bool)
    /// Stores the position in a register.
    case save(UInt32)
    /// Unsets the captures of the groups from `first` up to but not including `end`.
    case resetGroups(first: UInt32, end: UInt32)
    /// Fails if the iteration whose start is in a register has consumed nothing.
    case checkProgress(UInt32)
    /// Sets the counter of `loops[index]` to zero.
    case enterLoop(UInt32)
    /// Decides whether `loops[index]` takes another iteration. In a program without counters, it begins the first
    /// iteration of a lazy loop, which is the only one that may be empty.
    case loop(UInt32)
    /// Begins an iteration of `loops[index]`: counts it, stores its start, unsets its captures.
    case startIteration(UInt32)
    /// Ends an iteration of `loops[index]`, and goes back to its `loop`. In a program without counters, it continues
    /// after the loop. If that fails and the iteration has consumed something, it takes another iteration.
    case endIteration(UInt32)
    /// Continues at the next instruction if the body of `lookarounds[index]` matches or, for a negative lookaround, if
    /// it does not match.
    case look(UInt32)
    /// The body of `lookarounds[index]` has matched.
    case endLook(UInt32)
    /// Consumes the text that a group of `references[index]` has captured.
    case backReference(UInt32)
}

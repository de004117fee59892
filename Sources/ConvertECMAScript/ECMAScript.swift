/// The abstract operations and library functions of ECMA-262 that decisions depend on, with their names in the
/// specification.
///
/// Each function is pure, and safe to call from any thread.
public enum ECMAScript {}

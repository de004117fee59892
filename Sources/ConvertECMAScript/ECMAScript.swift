/// The abstract operations and library functions of ECMA-262 that decisions rest on, under the names they have there.
///
/// Everything here is a pure function of its arguments and safe to call from any thread.
public enum ECMAScript {}

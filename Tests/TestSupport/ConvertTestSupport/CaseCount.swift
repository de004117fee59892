import Foundation

/// How many random cases a test tries: `usual`, times what `CONVERT_CASES` says (a whole number, 1 where it is absent).
///
/// The seeds count up from a test's first one, so a longer run tries the shorter one's cases as well.
public func caseCount(_ usual: Int) -> Int { usual * factor }

/// The same, for cases of which a debug build takes long: only `few` where `CONVERT_CASES` is absent or 1.
public func caseCount(_ usual: Int, plain few: Int) -> Int { factor == 1 ? few : usual * factor }

/// The size of an input of which a debug build takes long: `full` where `CONVERT_CASES` is more than 1, `plain`
/// otherwise.
public func inputSize(_ full: Int, plain: Int) -> Int { factor == 1 ? plain : full }

private let factor = max(1, ProcessInfo.processInfo.environment["CONVERT_CASES"].flatMap { Int($0) } ?? 1)

package import ConvertECMAScript

/// A journal that lets rows be written where they stay, instead of taking each in memory of its own (S-journal).
package protocol RowWritingJournal: EventJournal, AnyObject {
    /// Appends `count` rows, 1 or more, as ``EventJournal/append(_:)`` does.
    ///
    /// - Parameter write: writes the row with the index behind what is there. It is called for one after the other, and for all of
    ///   them again if it turns out that there is no room yet.
    /// - Returns: the id of the first; the others' follow it.
    func append(_ count: Int, writingEach write: (Int, inout JSONBytes) -> Void) throws -> Int64
}

import CConvertUnicode

/// The tables of `CConvertUnicode`, which documents them. Safe: they are constants, as `ConstantTable` requires.
enum UnicodeTables {
    static var caseFoldingUnits: ConstantTable<UInt16> { unsafe ConstantTable(convert_unicode_case_folding_units) }
    static var caseFoldingCanonicals: ConstantTable<UInt16> {
        unsafe ConstantTable(convert_unicode_case_folding_canonicals)
    }
    static var caseFoldingClasses: ConstantTable<UInt16> { unsafe ConstantTable(convert_unicode_case_folding_classes) }
    static var caseFoldingMembers: ConstantTable<UInt16> { unsafe ConstantTable(convert_unicode_case_folding_members) }

    static var lowerCaseMappings: ConstantTable<UInt32> { unsafe ConstantTable(convert_unicode_lower_case_mappings) }
    static var caseIgnorable: ConstantTable<UInt32> { unsafe ConstantTable(convert_unicode_case_ignorable) }
    static var cased: ConstantTable<UInt32> { unsafe ConstantTable(convert_unicode_cased) }

    static var simpleFoldingClasses: ConstantTable<UInt32> {
        unsafe ConstantTable(convert_unicode_simple_folding_classes)
    }

    static let propertyNames = unsafe ConstantTable(convert_unicode_property_names).lines
    static var propertyStarts: ConstantTable<UInt32> { unsafe ConstantTable(convert_unicode_property_starts) }
    static var propertyBounds: ConstantTable<UInt32> { unsafe ConstantTable(convert_unicode_property_bounds) }

    static let sequencePropertyNames = unsafe ConstantTable(convert_unicode_sequence_property_names).lines
    static var sequencePropertyStarts: ConstantTable<UInt32> {
        unsafe ConstantTable(convert_unicode_sequence_property_starts)
    }
    static var sequencePropertyMembers: ConstantTable<UInt32> {
        unsafe ConstantTable(convert_unicode_sequence_property_members)
    }
    static var basicEmojiPoints: ConstantTable<UInt32> { unsafe ConstantTable(convert_unicode_basic_emoji_points) }
}

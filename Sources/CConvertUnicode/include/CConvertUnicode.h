#ifndef CCONVERTUNICODE_H
#define CCONVERTUNICODE_H

#include <stdint.h>

// Tables that Generator/generate writes. They are constants, so every thread may read them.
#define CONVERT_UNICODE_CONSTANT __attribute__((swift_attr("@Sendable")))

/// Numbers of 16 bits.
typedef struct CONVERT_UNICODE_CONSTANT {
    const uint16_t *_Nonnull start;
    intptr_t count;
} ConvertUnicodeTable16;

/// Numbers of 32 bits.
typedef struct CONVERT_UNICODE_CONSTANT {
    const uint32_t *_Nonnull start;
    intptr_t count;
} ConvertUnicodeTable32;

/// Lines of ASCII, each with its end.
typedef struct CONVERT_UNICODE_CONSTANT {
    const char *_Nonnull start;
    intptr_t count;
} ConvertUnicodeText;

/// Every unit that shares its canonical form with another one, ascending.
extern const ConvertUnicodeTable16 convert_unicode_case_folding_units;
/// The canonical form of each of these units.
extern const ConvertUnicodeTable16 convert_unicode_case_folding_canonicals;
/// Where among the members the class of each of these units starts.
extern const ConvertUnicodeTable16 convert_unicode_case_folding_classes;
/// The classes: each its number of units, then the units, ascending.
extern const ConvertUnicodeTable16 convert_unicode_case_folding_members;

/// Four words a run: first, last, stride, distance (two's complement) to the lower case.
extern const ConvertUnicodeTable32 convert_unicode_lower_case_mappings;
/// First and last of each range of Case_Ignorable.
extern const ConvertUnicodeTable32 convert_unicode_case_ignorable;
/// First and last of each range of Cased that is not Case_Ignorable.
extern const ConvertUnicodeTable32 convert_unicode_cased;

/// The classes of code points with one simple case folding: each its size, then its members, ascending.
extern const ConvertUnicodeTable32 convert_unicode_simple_folding_classes;

/// The names of each property set, a line each: `gc=`, `sc=` or `scx=` and a value, or a binary property.
extern const ConvertUnicodeText convert_unicode_property_names;
/// Where among the bounds each set starts, and where the last one ends.
extern const ConvertUnicodeTable32 convert_unicode_property_starts;
/// First and last code point of each range of each set, ascending.
extern const ConvertUnicodeTable32 convert_unicode_property_bounds;

/// The properties of strings, a line each, apart from RGI_Emoji, which is all of them.
extern const ConvertUnicodeText convert_unicode_sequence_property_names;
/// Where among the members each one's starts, and the last one ends.
extern const ConvertUnicodeTable32 convert_unicode_sequence_property_starts;
/// The members: each its number of code points, then those.
extern const ConvertUnicodeTable32 convert_unicode_sequence_property_members;
/// The members of Basic_Emoji, and so of RGI_Emoji, that are one code point.
extern const ConvertUnicodeTable32 convert_unicode_basic_emoji_points;

#endif

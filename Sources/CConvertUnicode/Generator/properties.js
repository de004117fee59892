// Prints the tables of the RegExp flags u and v: `node properties.js simple-folding|properties|sequences`.
// A name that the runtime does not know is left out, so the lists may be ahead of it.

"use strict";

const { print, table, text: lines } = require("./c-source.js");

// Names and their aliases (ECMA-262, tables 67 to 69).
const generalCategories = `
    C Other, Cc Control cntrl, Cf Format, Cn Unassigned, Co Private_Use, Cs Surrogate, L Letter, LC Cased_Letter,
    Ll Lowercase_Letter, Lm Modifier_Letter, Lo Other_Letter, Lt Titlecase_Letter, Lu Uppercase_Letter,
    M Mark Combining_Mark, Mc Spacing_Mark, Me Enclosing_Mark, Mn Nonspacing_Mark, N Number,
    Nd Decimal_Number digit, Nl Letter_Number, No Other_Number, P Punctuation punct, Pc Connector_Punctuation,
    Pd Dash_Punctuation, Pe Close_Punctuation, Pf Final_Punctuation, Pi Initial_Punctuation,
    Po Other_Punctuation, Ps Open_Punctuation, S Symbol, Sc Currency_Symbol, Sk Modifier_Symbol, Sm Math_Symbol,
    So Other_Symbol, Z Separator, Zl Line_Separator, Zp Paragraph_Separator, Zs Space_Separator
`;
const scripts = `
    Adlm Adlam, Aghb Caucasian_Albanian, Ahom, Arab Arabic, Armi Imperial_Aramaic, Armn Armenian, Avst Avestan,
    Bali Balinese, Bamu Bamum, Bass Bassa_Vah, Batk Batak, Beng Bengali, Bhks Bhaiksuki, Bopo Bopomofo,
    Brah Brahmi, Brai Braille, Bugi Buginese, Buhd Buhid, Cakm Chakma, Cans Canadian_Aboriginal, Cari Carian,
    Cham, Cher Cherokee, Chrs Chorasmian, Copt Coptic Qaac, Cpmn Cypro_Minoan, Cprt Cypriot, Cyrl Cyrillic,
    Deva Devanagari, Diak Dives_Akuru, Dogr Dogra, Dsrt Deseret, Dupl Duployan, Egyp Egyptian_Hieroglyphs,
    Elba Elbasan, Elym Elymaic, Ethi Ethiopic, Geor Georgian, Glag Glagolitic, Gong Gunjala_Gondi,
    Gonm Masaram_Gondi, Goth Gothic, Gran Grantha, Grek Greek, Gujr Gujarati, Guru Gurmukhi, Hang Hangul,
    Hani Han, Hano Hanunoo, Hatr Hatran, Hebr Hebrew, Hira Hiragana, Hluw Anatolian_Hieroglyphs,
    Hmng Pahawh_Hmong, Hmnp Nyiakeng_Puachue_Hmong, , Hung Old_Hungarian, Ital Old_Italic, Java Javanese,
    Kali Kayah_Li, Kana Katakana, Khar Kharoshthi, Khmr Khmer, Khoj Khojki, Kits Khitan_Small_Script,
    Knda Kannada, Kthi Kaithi, Lana Tai_Tham, Laoo Lao, Latn Latin, Lepc Lepcha, Limb Limbu, Lina Linear_A,
    Linb Linear_B, Lisu, Lyci Lycian, Lydi Lydian, Mahj Mahajani, Maka Makasar, Mand Mandaic, Mani Manichaean,
    Marc Marchen, Medf Medefaidrin, Mend Mende_Kikakui, Merc Meroitic_Cursive, Mero Meroitic_Hieroglyphs,
    Mlym Malayalam, Modi, Mong Mongolian, Mroo Mro, Mtei Meetei_Mayek, Mult Multani, Mymr Myanmar,
    Nand Nandinagari, Narb Old_North_Arabian, Nbat Nabataean, Newa, Nkoo Nko, Nshu Nushu, Ogam Ogham,
    Olck Ol_Chiki, Orkh Old_Turkic, Orya Oriya, Osge Osage, Osma Osmanya, Ougr Old_Uyghur, Palm Palmyrene,
    Pauc Pau_Cin_Hau, Perm Old_Permic, Phag Phags_Pa, Phli Inscriptional_Pahlavi, Phlp Psalter_Pahlavi,
    Phnx Phoenician, Plrd Miao, Prti Inscriptional_Parthian, Rjng Rejang, Rohg Hanifi_Rohingya, Runr Runic,
    Samr Samaritan, Sarb Old_South_Arabian, Saur Saurashtra, Sgnw SignWriting, Shaw Shavian, Shrd Sharada,
    Sidd Siddham, Sind Khudawadi, Sinh Sinhala, Sogd Sogdian, Sogo Old_Sogdian, Sora Sora_Sompeng, Soyo Soyombo,
    Sund Sundanese, Sylo Syloti_Nagri, Syrc Syriac, Tagb Tagbanwa, Takr Takri, Tale Tai_Le, Talu New_Tai_Lue,
    Taml Tamil, Tang Tangut, Tavt Tai_Viet, Telu Telugu, Tfng Tifinagh, Tglg Tagalog, Thaa Thaana, Thai,
    Tibt Tibetan, Tirh Tirhuta, Tnsa Tangsa, Toto, Ugar Ugaritic, Vaii Vai, Vith Vithkuqi, Wara Warang_Citi,
    Wcho Wancho, Xpeo Old_Persian, Xsux Cuneiform, Yezi Yezidi, Yiii Yi, Zanb Zanabazar_Square,
    Zinh Inherited Qaai, Zyyy Common, Zzzz Unknown, Kawi, Nagm Nag_Mundari, Gara Garay, Gukh Gurung_Khema,
    Krai Kirat_Rai, Onao Ol_Onal, Sunu Sunuwar, Todr Todhri, Tutg Tulu_Tigalari, Sidt Sidetic, Tols Tolong_Siki,
    Berf Beria_Erfe, Tayo Tai_Yo
`;
const binaryProperties = `
    ASCII, ASCII_Hex_Digit AHex, Alphabetic Alpha, Any, Assigned, Bidi_Control Bidi_C, Bidi_Mirrored Bidi_M,
    Case_Ignorable CI, Cased, Changes_When_Casefolded CWCF, Changes_When_Casemapped CWCM,
    Changes_When_Lowercased CWL, Changes_When_NFKC_Casefolded CWKCF, Changes_When_Titlecased CWT,
    Changes_When_Uppercased CWU, Dash, Default_Ignorable_Code_Point DI, Deprecated Dep, Diacritic Dia, Emoji,
    Emoji_Component EComp, Emoji_Modifier EMod, Emoji_Modifier_Base EBase, Emoji_Presentation EPres,
    Extended_Pictographic ExtPict, Extender Ext, Grapheme_Base Gr_Base, Grapheme_Extend Gr_Ext, Hex_Digit Hex,
    IDS_Binary_Operator IDSB, IDS_Trinary_Operator IDST, ID_Continue IDC, ID_Start IDS, Ideographic Ideo,
    Join_Control Join_C, Logical_Order_Exception LOE, Lowercase Lower, Math, Noncharacter_Code_Point NChar,
    Pattern_Syntax Pat_Syn, Pattern_White_Space Pat_WS, Quotation_Mark QMark, Radical, Regional_Indicator RI,
    Sentence_Terminal STerm, Soft_Dotted SD, Terminal_Punctuation Term, Unified_Ideograph UIdeo, Uppercase Upper,
    Variation_Selector VS, White_Space space, XID_Continue XIDC, XID_Start XIDS
`;

function names(list) {
    return list.trim().split(/,\s*/).map((entry) => entry.trim().split(" "));
}

function regExp(source, flags) {
    try {
        return new RegExp(source, flags);
    } catch {
        return null;
    }
}

/** The code points between first and last as one text; surrogates are left out. */
function text(first, last) {
    let result = "";
    for (let point = first; point <= last; point++) result += String.fromCodePoint(point);
    return result;
}

const texts = [[0, text(0, 0xd7ff)], [0xe000, text(0xe000, 0xffff)], [0x10000, text(0x10000, 0x10ffff)]];

/** First and last code point of each range of a property. */
function bounds(source) {
    const ranges = [];
    const add = (first, last) => {
        const previous = ranges[ranges.length - 1];
        if (previous && previous[1] + 1 === first) previous[1] = last;
        else ranges.push([first, last]);
    };
    const runs = new RegExp(`${source}+`, "gu");
    const one = new RegExp(`^${source}$`, "u");
    texts.forEach(([first, characters], index) => {
        const width = first > 0xffff ? 2 : 1;
        for (const match of characters.matchAll(runs)) {
            const start = first + match.index / width;
            add(start, start + match[0].length / width - 1);
        }
        if (index > 0) return;
        for (let point = 0xd800; point <= 0xdfff; point++) {
            if (one.test(String.fromCharCode(point))) add(point, point);
        }
    });
    return ranges.flat();
}

function propertyTables() {
    const sets = [];
    for (const list of names(generalCategories)) sets.push([list.map((name) => `gc=${name}`), `\\p{gc=${list[0]}}`]);
    for (const list of names(binaryProperties)) sets.push([list, `\\p{${list[0]}}`]);
    for (const list of names(scripts)) {
        sets.push([list.map((name) => `sc=${name}`), `\\p{sc=${list[0]}}`]);
        sets.push([list.map((name) => `scx=${name}`), `\\p{scx=${list[0]}}`]);
    }
    const labels = [];
    const starts = [0];
    const values = [];
    const known = new Map();
    for (const [keys, source] of sets) {
        if (!regExp(source, "u")) continue;
        const list = bounds(source);
        const valid = keys.filter((key) => regExp(`\\p{${key}}`, "u"));
        const same = known.get(list.join());
        if (same !== undefined) {
            labels[same].push(...valid);
            continue;
        }
        known.set(list.join(), labels.length);
        labels.push(valid);
        values.push(...list);
        starts.push(values.length);
    }
    return [
        lines("propertyNames", labels.map((list) => list.join(" "))),
        table("propertyStarts", 32, starts),
        table("propertyBounds", 32, values),
    ];
}

function foldingTable() {
    const cased = [];
    const candidate = /[\p{CWL}\p{CWU}\p{CWT}\p{CWCF}\p{Cased}]/u;
    for (let point = 0; point <= 0x10ffff; point++) {
        if ((point < 0xd800 || point > 0xdfff) && candidate.test(String.fromCodePoint(point))) cased.push(point);
    }
    const all = String.fromCodePoint(...cased);
    const classes = [];
    const seen = new Set();
    for (const point of cased) {
        if (seen.has(point)) continue;
        const members = all.match(new RegExp(`\\u{${point.toString(16)}}`, "giu")).map((text) => text.codePointAt(0));
        for (const member of members) seen.add(member);
        if (members.length > 1) classes.push(members);
    }
    return [table("simpleFoldingClasses", 32, classes.flatMap((members) => [members.length, ...members]))];
}

/** Emoji joined by U+200D: pairs of anything, and the longer ones that such pairs and people make up. */
function joinedSequences(elements) {
    const joined = /^\p{RGI_Emoji_ZWJ_Sequence}$/v;
    const found = [];
    const firsts = new Set();
    const others = new Set();
    const attempt = (...parts) => {
        const text = parts.join("\u200d");
        if (!joined.test(text)) return false;
        found.push(text);
        return true;
    };
    for (const first of elements) {
        for (const second of elements) {
            if (!attempt(first, second)) continue;
            firsts.add(first);
            others.add(first).add(second);
        }
    }
    const isPerson = /^[\u{1f466}-\u{1f469}\u{1f9d1}\u{1f9d2}]\p{EMod}?$/u;
    const people = elements.filter((element) => isPerson.test(element));
    for (const first of firsts) {
        for (const second of others) for (const third of others) attempt(first, second, third);
    }
    for (const first of people) {
        for (const last of people) {
            for (const middle of elements) {
                if (!others.has(middle)) attempt(first, middle, last);
                attempt(first, "\u2764\ufe0f", middle, last);
            }
            for (const second of people) for (const third of people) attempt(first, second, third, last);
        }
    }
    return found;
}

/** The members with more than one code point of each property of strings (ECMA-262, table 70), found by trying. */
function sequenceTables() {
    const points = (source) => texts.flatMap(([, characters]) => characters.match(new RegExp(source, "gu")) ?? []);
    const emoji = points("\\p{Emoji}");
    const modifiers = points("\\p{EMod}");
    const elements = [];
    for (const one of emoji.filter((text) => text > "\xff")) {
        elements.push(one, one + "\ufe0f");
        if (/\p{EBase}/u.test(one)) elements.push(...modifiers.map((modifier) => one + modifier));
    }
    const candidates = new Set(elements);
    for (const one of emoji) {
        candidates.add(one + "\ufe0f").add(one + "\ufe0f\u20e3");
        for (const modifier of modifiers) candidates.add(one + modifier);
    }
    const indicators = points("\\p{RI}");
    for (const first of indicators) for (const second of indicators) candidates.add(first + second);
    const letters = [..."abcdefghijklmnopqrstuvwxyz0123456789"];
    const tags = (text) => [...text].map((c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join("");
    for (const a of letters) for (const b of letters) for (const c of letters) {
        for (const region of ["gb", "us", "ca"]) {
            candidates.add(`\u{1f3f4}${tags(region + a + b + c)}\u{e007f}`);
            candidates.add(`\u{1f3f4}${tags(region + a + b)}\u{e007f}`);
        }
    }
    for (const text of joinedSequences(elements)) candidates.add(text);
    const names = [
        "Basic_Emoji", "Emoji_Keycap_Sequence", "RGI_Modifier_Sequence", "RGI_Emoji_Modifier_Sequence",
        "RGI_Emoji_Flag_Sequence", "RGI_Emoji_Tag_Sequence", "RGI_Emoji_ZWJ_Sequence",
    ].filter((name) => regExp(`\\p{${name}}`, "v"));
    const starts = [0];
    const values = [];
    for (const name of names) {
        const isMember = new RegExp(`^\\p{${name}}$`, "v");
        for (const text of [...candidates].filter((text) => [...text].length > 1 && isMember.test(text)).sort()) {
            const list = [...text].map((character) => character.codePointAt(0));
            values.push(list.length, ...list);
        }
        starts.push(values.length);
    }
    const isRGI = /^\p{RGI_Emoji}$/v;
    const all = [...candidates].filter((text) => [...text].length > 1 && isRGI.test(text)).length;
    process.stderr.write(`${names.join(" ")}\n${all} of RGI_Emoji have more than one code point\n`);
    const single = emoji.filter((text) => /^\p{Basic_Emoji}$/v.test(text)).map((text) => text.codePointAt(0));
    return [
        lines("sequencePropertyNames", names),
        table("sequencePropertyStarts", 32, starts),
        table("sequencePropertyMembers", 32, values),
        table("basicEmojiPoints", 32, single),
    ];
}

const tables = {
    "simple-folding": foldingTable, properties: propertyTables, sequences: sequenceTables,
}[process.argv[2]];
if (!tables) throw new Error("usage: properties.js simple-folding|properties|sequences");
print(tables());

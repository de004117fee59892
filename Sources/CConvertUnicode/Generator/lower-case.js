// Prints the tables of toLowerCase.
// Node's own answers are the reference, so the tables are read off its functions, not off the Unicode files.

"use strict";

const { print, table } = require("./c-source.js");

const scalars = [];
for (let c = 0; c <= 0x10ffff; c++) if (c < 0xd800 || c > 0xdfff) scalars.push(c);

/** Runs of scalars with the same distance to their lower case, every one (stride 1) or every second (stride 2). */
function mappings() {
    const runs = [];
    for (const scalar of scalars) {
        const lower = [...String.fromCodePoint(scalar).toLowerCase()];
        if (scalar === 0x130) {
            if (lower.join("") !== "i\u0307") throw new Error("U+0130 maps to something else than i̇");
            continue;
        }
        if (lower.length !== 1) throw new Error(`U+${scalar.toString(16)} maps to several scalars`);
        const delta = lower[0].codePointAt(0) - scalar;
        if (delta === 0) continue;
        const run = runs.at(-1);
        const step = run ? scalar - run.last : 0;
        if (run && run.delta === delta && (step === run.stride || (run.stride === 0 && step <= 2))) {
            run.last = scalar;
            run.stride = step;
        } else {
            runs.push({ first: scalar, last: scalar, stride: 0, delta });
        }
    }
    return runs.flatMap(({ first, last, stride, delta }) => [first, last, stride || 1, delta >>> 0]);
}

/** Ranges, both ends included, of the scalars that `holds` holds for. */
function ranges(holds) {
    const result = [];
    for (const scalar of scalars) {
        if (!holds(String.fromCodePoint(scalar))) continue;
        if (result.at(-1) === scalar - 1) result[result.length - 1] = scalar;
        else result.push(scalar, scalar);
    }
    return result;
}

/** What a Σ looks for on either side is read off toLowerCase as well: it passes over `ignorable` and stops at `cased`. */
const ignorable = (text) => `A${text}Σ`.toLowerCase().endsWith("ς") && `Σ${text}A`.toLowerCase().startsWith("σ") &&
    /\p{Case_Ignorable}/u.test(text);
const cased = (text) => !ignorable(text) && `${text}Σ`.toLowerCase().endsWith("ς");
for (const scalar of scalars) {
    const text = String.fromCodePoint(scalar);
    const expected = /\p{Case_Ignorable}/u.test(text) ? "ignorable" : /\p{Cased}/u.test(text) ? "cased" : "neither";
    const actual = ignorable(text) ? "ignorable" : cased(text) ? "cased" : "neither";
    if (actual !== expected) throw new Error(`U+${scalar.toString(16)} is ${expected} by property, ${actual} by use`);
}

print([
    table("lowerCaseMappings", 32, mappings()),
    table("caseIgnorable", 32, ranges(ignorable)),
    table("cased", 32, ranges(cased)),
]);

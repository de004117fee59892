// Prints the tables of Canonicalize.

"use strict";

const { print, table } = require("./c-source.js");

/** Canonicalize (ECMA-262, 22.2.2.7.3) for a pattern without the flags u and v. */
function canonicalize(unit) {
    const upper = String.fromCharCode(unit).toUpperCase();
    if (upper.length !== 1) return unit;
    const mapped = upper.charCodeAt(0);
    return unit >= 128 && mapped < 128 ? unit : mapped;
}

function printTables() {
    const classes = new Map();
    for (let unit = 0; unit <= 0xffff; unit++) {
        const canonical = canonicalize(unit);
        if (!classes.has(canonical)) classes.set(canonical, []);
        classes.get(canonical).push(unit);
    }
    const members = [];
    const units = [];
    for (const [canonical, list] of classes) {
        if (list.length < 2) continue;
        for (const unit of list) units.push([unit, canonical, members.length]);
        members.push(list.length, ...list);
    }
    units.sort((a, b) => a[0] - b[0]);
    print([
        table("caseFoldingUnits", 16, units.map((row) => row[0])),
        table("caseFoldingCanonicals", 16, units.map((row) => row[1])),
        table("caseFoldingClasses", 16, units.map((row) => row[2])),
        table("caseFoldingMembers", 16, members),
    ]);
}

printTables();

// Checks the report's page from within and writes what is wrong, or "sound", into an element of its own.
const wrong = [];
const expect = (holds, what) => { if (!holds) wrong.push(what); };
const all = selector => [...document.querySelectorAll(selector)];

expect(document.documentElement.lang === "en", "no language");
expect(all("h1").length === 1 && all("h2").length > 2, "headings");
for (const section of all("section")) {
  expect(document.getElementById(section.getAttribute("aria-labelledby")), "a section without a name");
}
for (const link of all("nav a")) expect(document.querySelector(link.getAttribute("href")), `no place for ${link.textContent}`);
for (const table of all("table")) {
  expect(table.caption?.textContent, "a table without a caption");
  expect([...table.tHead.rows[0].cells].every(cell => cell.scope === "col"), "a column without a head");
  expect([...table.tBodies[0].rows].every(row => row.cells.length === table.tHead.rows[0].cells.length), "a ragged table");
}
for (const bar of all(".bar")) {
  expect(bar.getAttribute("role") === "img" && /%/.test(bar.getAttribute("aria-label")), "a bar without a name");
  const parts = [...bar.children].map(part => part.getBoundingClientRect().width);
  expect(parts.reduce((sum, width) => sum + width, 0) <= bar.clientWidth + 1, "a bar that is too full");
}
expect(all("details ul.tree").length > 0, "no audience as a tree");
expect(document.documentElement.scrollWidth <= window.innerWidth, "wider than a phone");
expect(performance.getEntriesByType("resource").every(entry => entry.name.endsWith("checks.js")), "a request");

for (const witness of all(".witness code")) expect(JSON.parse(witness.textContent).visitorId, "a witness without an id");
expect(all(".bar").length > 0, "no allocation as a bar");

// Sorting: upwards, then downwards, by what the cells are worth.
const table = all("table")[0];
const values = () => [...table.tBodies[0].rows].map(row => Number(row.cells[1].dataset.value));
expect(values().every(value => !isNaN(value)), "nothing to sort by");
const button = table.tHead.rows[0].cells[1].querySelector("button");
button.click();
expect(values().every((value, index, list) => index === 0 || list[index - 1] <= value), "not sorted upwards");
expect(table.tHead.rows[0].cells[1].getAttribute("aria-sort") === "ascending", "the order is not told");
button.click();
expect(values().every((value, index, list) => index === 0 || list[index - 1] >= value), "not sorted downwards");

// Contrast of text on its ground, at least 4.5 to 1 (WCAG 2 AA).
// A color's red, green and blue from 0 to 255, and how opaque it is; mixed colors are written from 0 to 1.
const parts = color => {
  const [r, g, b, a = 1] = color.match(/[\d.]+(?:e-?\d+)?/g).map(Number);
  return color.startsWith("color(") ? [r * 255, g * 255, b * 255, a] : [r, g, b, a];
};
const over = ([r, g, b, a], below) => [r, g, b].map((part, index) => part * a + below[index] * (1 - a));
const luminance = color => {
  const [r, g, b] = color.map(part => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ground = element => {
  const color = parts(getComputedStyle(element).backgroundColor);
  if (color[3] === 1) return color;
  return over(color, element.parentElement ? ground(element.parentElement) : [255, 255, 255]);
};
for (const element of all("p, td, th, caption, h2, summary, li, .part span, .good, .bad, .soft, h3, pre, figcaption")) {
  const [high, low] = [luminance(parts(getComputedStyle(element).color).slice(0, 3)), luminance(ground(element).slice(0, 3))].sort((a, b) => b - a);
  expect((high + 0.05) / (low + 0.05) >= 4.5, `little contrast: ${element.tagName} ${element.className}`);
}

const findings = document.createElement("pre");
findings.id = "findings";
findings.textContent = wrong.length ? [...new Set(wrong)].join("; ") : "sound";
document.body.append(findings);

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
const luminance = color => {
  // A mixed color is written with shares: color(srgb 0.4 0.6 0.8).
  const whole = color.startsWith("color(") ? 1 : 255;
  const [r, g, b] = color.match(/[\d.]+/g).map(Number).map(part => {
    const share = part / whole;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ground = element => {
  for (let at = element; at; at = at.parentElement) {
    const color = getComputedStyle(at).backgroundColor;
    if (color !== "rgba(0, 0, 0, 0)") return color;
  }
  return "rgb(255, 255, 255)";
};
for (const element of all("p, td, th, caption, h2, summary, li, .part span, .good, .bad, .soft, h3, pre, figcaption")) {
  const [high, low] = [luminance(getComputedStyle(element).color), luminance(ground(element))].sort((a, b) => b - a);
  expect((high + 0.05) / (low + 0.05) >= 4.5, `little contrast: ${element.tagName} ${element.className}`);
}

const findings = document.createElement("pre");
findings.id = "findings";
findings.textContent = wrong.length ? [...new Set(wrong)].join("; ") : "sound";
document.body.append(findings);

// Checks the report's page from within, in a frame, and sends what is wrong, or "sound", to the page around it.
const wrong = [];
const expect = (holds, what) => { if (!holds) wrong.push(what); };
const all = selector => [...document.querySelectorAll(selector)];
const report = document.title;
const shows = (reports, selector, what) => {
  if (reports.includes(report)) expect(all(selector).length > 0, what);
};

expect(document.documentElement.lang === "en", "no language");
expect(all("h1").length === 1 && all("h2").length > 0, "headings");
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
const withConfigs = ["Simulation", "Lint", "Changes between two configs"];
shows(withConfigs, "details ul.tree", "no audience as a tree");
shows(withConfigs, ".bar", "no allocation as a bar");
expect(window.innerWidth <= 400, "not as narrow as a phone");
expect(document.documentElement.scrollWidth <= window.innerWidth, "wider than a phone");

// Every verdict is in sight without scrolling sideways, whatever scrolls around it.
if (report !== "Replay") expect(all(".verdict").length > 0, "no verdict");
for (const details of all("details")) details.open = true;
for (const verdict of all(".verdict")) {
  const place = verdict.getBoundingClientRect();
  expect(place.width > 0 && place.left >= 0 && place.right <= window.innerWidth, `out of sight: ${verdict.textContent}`);
}
// On a phone each cell of a stacked row is behind the name of its column.
for (const cell of all(".stack td:not([data-label])")) expect(false, `a cell without its column: ${cell.textContent}`);

// Drawings: a name, lines within the drawing, and texts within the page.
for (const drawing of all("svg[role=img]")) expect(drawing.getAttribute("aria-label"), "a drawing without a name");
if (report === "Sample ratio") {
  expect(all("svg.plot").length >= 2 && all("svg.plot .bound").length > 0, "no bound in a plot");
  expect(all("svg.plot text.bad").some(text => text.textContent.startsWith("broke 2026-11-0")), "no day on which it broke");
  expect(all("ul.keys li").some(key => /config .* from 2026-11-04/.test(key.textContent)), "no release");
}
for (const plot of all("svg.plot")) {
  const frame = plot.getBoundingClientRect();
  for (const line of plot.querySelectorAll("polyline, circle")) {
    const place = line.getBoundingClientRect();
    expect(place.left >= frame.left - 4 && place.right <= frame.right + 4, "a line outside of its plot");
    expect(place.top >= frame.top && place.bottom <= frame.bottom, "a line above or below its plot");
  }
  for (const text of plot.querySelectorAll("text")) {
    const place = text.getBoundingClientRect();
    expect(place.left >= 0 && place.right <= window.innerWidth, `a text outside of the page: ${text.textContent}`);
  }
}
// The overview of a lint is in words: names of entities, and no paths.
if (report === "Lint") {
  const overview = document.getElementById("overview");
  expect(overview.querySelectorAll("h3").length > 0, "no entity in the overview");
  expect(/Experience “.+” can never be entered/.test(overview.textContent), "no experience in the overview");
  expect(!overview.textContent.includes("$."), "a path in the overview");
  for (const link of overview.querySelectorAll("a")) expect(document.querySelector(link.getAttribute("href")), "no details");
}
expect(performance.getEntriesByType("resource").every(entry => entry.name.endsWith("checks.js")), "a request");

for (const witness of all(".witness code")) expect(JSON.parse(witness.textContent).visitorId, "a witness without an id");

// Sorting: upwards, then downwards, by what the cells are worth.
const table = all("table").find(table => table.tBodies[0].rows[0]?.querySelector("td[data-value]"));
if (table) {
  const column = [...table.tBodies[0].rows[0].cells].findIndex(cell => cell.dataset.value !== undefined);
  const values = () => [...table.tBodies[0].rows].map(row => Number(row.cells[column].dataset.value));
  expect(values().every(value => !isNaN(value)), "nothing to sort by");
  const head = table.tHead.rows[0].cells[column];
  const button = head.querySelector("button");
  button.click();
  expect(values().every((value, index, list) => index === 0 || list[index - 1] <= value), "not sorted upwards");
  expect(head.getAttribute("aria-sort") === "ascending", "the order is not told");
  button.click();
  expect(values().every((value, index, list) => index === 0 || list[index - 1] >= value), "not sorted downwards");
}

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
for (const element of all("p, td, th, caption, h2, summary, li, .part span, .good, .bad:not(svg *), .soft, h3, pre, figcaption")) {
  const [high, low] = [luminance(parts(getComputedStyle(element).color).slice(0, 3)), luminance(ground(element).slice(0, 3))].sort((a, b) => b - a);
  expect((high + 0.05) / (low + 0.05) >= 4.5, `little contrast: ${element.tagName} ${element.className}`);
}

// The color of a plot's text is that of its fill.
for (const text of all("svg.plot text")) {
  const [high, low] = [luminance(parts(getComputedStyle(text).fill).slice(0, 3)), luminance(ground(text.closest("figure")).slice(0, 3))].sort((a, b) => b - a);
  expect((high + 0.05) / (low + 0.05) >= 4.5, `little contrast: ${text.textContent}`);
}

parent.postMessage(wrong.length ? [...new Set(wrong)].join("; ") : "sound", "*");

// Writes small configs, rules documents and events from TestVectors, from which the fuzzers of configs and rules start.
//
//     node Tests/Fuzz/seeds.js config /tmp/config-corpus
//     node Tests/Fuzz/seeds.js rules /tmp/rules-corpus
const fs = require('fs');
const path = require('path');
const [kind, folder] = process.argv.slice(2);
const vectors = path.join(__dirname, '../../TestVectors');
const longest = 3900;
let count = 0;

function write(prefix, value) {
  const text = JSON.stringify(value);
  if (text.length > longest) return;
  count += 1;
  fs.writeFileSync(path.join(folder, `seed-${count}`), prefix + text);
}

function read(...names) { return JSON.parse(fs.readFileSync(path.join(vectors, ...names), 'utf8')); }

function cases(name, limit) {
  return fs.readdirSync(path.join(vectors, name)).filter((file) => file.endsWith('.json'))
    .flatMap((file) => (read(name, file).cases || []).filter((_, index, all) => index % Math.ceil(all.length / limit) === 0));
}

// A config with one experience, and what that one names.
function reduced(config, experience) {
  const named = (list, ids) => (config[list] || []).filter((entity) => (ids || []).includes(entity.id));
  const features = (experience.variations || []).flatMap((variation) => variation.changes || [])
    .map((change) => change.data && String(change.data.feature_id));
  return {
    account_id: config.account_id, project: { id: config.project.id }, experiences: [experience],
    audiences: named('audiences', experience.audiences), segments: named('segments', experience.audiences),
    locations: named('locations', experience.locations), goals: (config.goals || []).slice(0, 1),
    features: (config.features || []).filter((feature) => features.includes(String(feature.id))),
  };
}

fs.mkdirSync(folder, { recursive: true });
if (kind === 'config') {
  for (const file of [['configs', 'demo-shop.json'], ['workloads', 'w1-config.json'], ['workloads', 'w7-config.json']]) {
    const config = read(...file);
    for (const experience of config.experiences.slice(0, 12)) write('', reduced(config, experience));
  }
  for (const { config } of cases('decisions', 20)) if (config) write('', config);
} else if (kind === 'rules') {
  for (const { rules, event } of cases('mobileRules', 30)) {
    if (rules) write('\0', rules);
    if (event) write('\x03', event);
  }
  write('\x01', '{%a.b%} {%urlenc(a)%} {%~all_json%}');
} else {
  console.error('usage: node Tests/Fuzz/seeds.js config|rules FOLDER');
  process.exit(2);
}
console.log(`${count} seeds`);

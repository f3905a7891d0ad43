"use strict";
// Whole documents: the items of gold and of two systems side by side, coloured by their chains, with
// links between them. An example shows the sentences that it is about in the same way.

const HUES = 8; // colours; further chains have the same ones again, and numbers of their own
const SIDES = ["gold", "a", "b"];
const EMPTY_ITEM = "∅"; // in place of an item without words

/** What one side has, whether it is judged or not; `chain` numbers what belongs together. */
class Side {
  constructor(data) {
    for (const name of ["start", "end", "second", "item", "chain"]) this[name] = unpacked(data[name]);
    this.names = data.names;
    this.gaps = data.gaps ?? {};
  }

  covers(row, token) {
    return this.start[row] <= token && token < this.end[row] &&
      (!this.gaps[row] || this.gaps[row].includes(token - this.start[row]));
  }

  /** Does a row stand among the tokens from `first` to `end`? One without tokens stands before one. */
  reaches(row, first, end) {
    return this.start[row] < end && (this.end[row] > first || this.start[row] >= first);
  }

  isEmpty(row, token) {
    return this.start[row] === token && this.end[row] === token;
  }

  /** Rows that begin between two tokens; they are in the order of the text. */
  between(first, end) {
    const rows = [];
    for (let row = 0; row < this.start.length; row++) {
      if (this.start[row] >= first && this.start[row] < end) rows.push(row);
    }
    return rows;
  }

  /** The place and the words of a row as a key that is the same on every side. */
  key(row) {
    return `${this.start[row]}-${this.end[row]}${this.gaps[row] ?? ""}`;
  }
}

/** Documents as stretches of sentences, with names that occur once. */
function documentsOf() {
  const found = [];
  texts.sentences.forEach(([document, file], n) => {
    const before = found.at(-1);
    if (before && before.document === document && before.file === file) before.end = n + 1;
    else found.push({ document, file, first: n, end: n + 1, name: texts.documents[document] ?? texts.files[file] });
  });
  return found;
}

/** The first token of every sentence, and how many tokens there are. */
function tokenStarts() {
  const starts = new Int32Array(texts.sentences.length + 1);
  texts.sentences.forEach((_, n) => { starts[n + 1] = starts[n] + texts.words(n).length; });
  return starts;
}

let documents = null;
let starts = null;

/** The sides of a sheet; null if its items form no chains. */
function chainsOf(sheet) {
  if (!sheet.chains.length) return null;
  documents ??= documentsOf();
  starts ??= tokenStarts();
  sheet.chained ??= sheet.chains.map((data) => new Side(data));
  return sheet.chained;
}

const sentenceAt = (token) => {
  let [low, high] = [0, starts.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= token) low = middle;
    else high = middle;
  }
  return low;
};

const documentAt = (sentence) => documents.find(({ end }) => sentence < end);

/** The rows of gold (-1) or a system in a document, and those of every chain there. */
function rowsIn(sheet, system, document) {
  const of = chainsOf(sheet)[system + 1];
  of.found ??= new Map();
  if (!of.found.has(document)) {
    const rows = of.between(starts[document.first], starts[document.end]);
    const chains = new Map();
    for (const row of rows) {
      if (!chains.has(of.chain[row])) chains.set(of.chain[row], []);
      chains.get(of.chain[row]).push(row);
    }
    of.found.set(document, { of, rows, chains });
  }
  return of.found.get(document);
}

/** What is shown of a document: gold and the two systems with their rows in it, and a number for
 * every chain. A system's chain has the number of the gold chain that it shares most items with, if
 * none shares more; others have numbers of their own. One item alone has none. */
function cast(sheet, document) {
  document.casts ??= new Map();
  const [a, b] = pairOf(sheet);
  const key = `${state.view} ${a} ${b}`;
  if (document.casts.has(key)) return document.casts.get(key);
  const chosen = [[-1, "gold"], [a, state.a], [b, state.b]].slice(0, a === b ? 2 : 3);
  const sides = chosen.map(([system, title], n) => {
    const { of, rows, chains } = rowsIn(sheet, system, document);
    return { system, title, kind: SIDES[n], of, rows, chains, numbers: new Map(),
      byKey: new Map(rows.map((row) => [of.key(row), row])) };
  });
  const [gold] = sides;
  let next = 0;
  for (const [chain, rows] of gold.chains) if (rows.length > 1) gold.numbers.set(chain, ++next);
  for (const side of sides.slice(1)) {
    const counts = new Map();
    for (const row of side.rows) {
      const ours = gold.byKey.get(side.of.key(row));
      if (ours === undefined) continue;
      const pair = `${side.of.chain[row]} ${gold.of.chain[ours]}`;
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
    const taken = new Set();
    for (const [pair] of [...counts].sort((x, y) => y[1] - x[1])) {
      const [theirs, ours] = pair.split(" ").map(Number);
      const number = gold.numbers.get(ours);
      if (!number || taken.has(number) || side.numbers.has(theirs)) continue;
      if (side.chains.get(theirs).length < 2) continue;
      side.numbers.set(theirs, number);
      taken.add(number);
    }
    let own = next;
    for (const [chain, rows] of side.chains) {
      if (rows.length > 1 && !side.numbers.has(chain)) side.numbers.set(chain, ++own);
    }
  }
  document.casts.set(key, sides);
  return sides;
}

/** What a side says about a row: the type of error, or what stands for none; "" if not judged. */
function verdict(sheet, system, item) {
  if (item < 0) return "";
  const silent = sheet.extra[item] && !sheet.answered(system, item);
  return silent && !sheet.silence ? "" : sheet.types[sheet.type[system][item]];
}

/** The row of an antecedent; -1 for none. */
function antecedent({ of, chains }, row) {
  const at = of.second[row];
  if (at < 0) return -1;
  const before = (chains.get(of.chain[row]) ?? []).filter((each) => each !== row && of.covers(each, at));
  return before.at(-1) ?? -1;
}

const wordsOf = ({ of }, row) => {
  const sentence = sentenceAt(of.start[row]);
  return texts.text(sentence, of.start[row] - starts[sentence], of.end[row] - starts[sentence] - 1) || EMPTY_ITEM;
};

/** Some sentences of a document, all sides beside each other. Items that pass are marked as `hit`:
 * for these it is said what is wrong, and wrong links are drawn. */
function sheetOfSides(sheet, document, sentences, isHit, counts = () => []) {
  const sides = cast(sheet, document);
  const grid = html("div", { className: sides.length < 3 ? "sides two" : "sides" });
  grid.sides = sides;
  grid.append(...sides.map((side) => html("div", { className: `side ${side.kind}` }, bdi(side.title), counts(side))));
  const hits = new Set();
  let before = sentences[0] - 1;
  for (const sentence of sentences) {
    if (sentence !== before + 1) grid.append(html("div", { className: "skipped" }, "⋯"));
    before = sentence;
    for (const side of sides) grid.append(cell(sheet, sides, side, sentence, isHit, hits));
  }
  grid.append(svg("svg", { class: "links", "aria-hidden": "true" }));
  grid.hits = hits;
  const roving = [...hits][0] ?? grid.querySelector(".item");
  if (roving) roving.tabIndex = 0;
  linked.observe(grid);
  return grid;
}

/** A sentence as one side has it. A gold item that a system lacks is there as well, empty. */
function cell(sheet, sides, side, sentence, isHit, hits) {
  const { of, system } = side;
  const made = html("p", { className: `prose ${side.kind}`, dir: "auto" });
  const [first, end] = [starts[sentence], starts[sentence + 1]];
  const [gold] = sides;
  // What begins in an earlier sentence and reaches into this one is covered here too.
  const mine = side.rows.filter((row) => of.reaches(row, first, end)).map((row) => ({ of, row, side }));
  const lacking = side === gold ? [] : gold.rows.filter((row) =>
    gold.of.reaches(row, first, end) && gold.of.item[row] >= 0 &&
    isHit(gold.of.item[row]) && !side.byKey.has(gold.of.key(row)) && !sheet.right(system, gold.of.item[row]))
    .map((row) => ({ of: gold.of, row, side: gold, ghost: true }));
  const every = [...mine, ...lacking].sort((x, y) => x.of.start[x.row] - y.of.start[y.row] ||
    y.of.end[y.row] - x.of.end[x.row] || x.row - y.row);
  const stack = []; // items that are open, with their elements
  const top = () => stack.at(-1)?.element ?? made;
  for (let token = first; token < end; token++) {
    const open = every.filter(({ of, row }) => of.covers(row, token));
    let same = 0;
    while (same < stack.length && stack[same].each === open[same]) same++;
    stack.length = same;
    if (token > first && texts.spaced(sentence, token - first - 1)) top().append(" ");
    for (const each of every.filter(({ of, row }) => of.isEmpty(row, token))) {
      const element = piece(sheet, sides, side, each, isHit, hits);
      element.append(EMPTY_ITEM, ...element.labels);
      top().append(element, " ");
    }
    for (const each of open.slice(same)) {
      const element = piece(sheet, sides, side, each, isHit, hits);
      top().append(element);
      stack.push({ each, element });
    }
    top().append(texts.words(sentence)[token - first]);
    const closing = stack.filter(({ each: { of, row } }) => of.end[row] === token + 1).reverse();
    for (const { element } of closing) element.append(...element.labels);
  }
  return made;
}

/** The element of an item, or of a part of it where items cross. */
function piece(sheet, sides, side, { of, row, side: owner, ghost }, isHit, hits) {
  const item = of.item[row];
  const number = ghost ? undefined : side.numbers.get(of.chain[row]);
  const hue = number === undefined ? "alone" : `hue${(number - 1) % HUES}${number > HUES ? " again" : ""}`;
  const made = html("span", { className: `item ${ghost ? "ghost" : hue}`, role: "button", tabIndex: -1 });
  Object.assign(made, { row, owner, ghost, labels: [] });
  if (number !== undefined) made.labels.push(html("sub", {}, `${number}`));
  if (item < 0 || !isHit(item)) return made;
  hits.add(made);
  made.classList.add("hit");
  const judged = side.system < 0 ? sides.slice(1) : [side];
  const types = judged.map(({ system }) => verdict(sheet, system, item));
  if (judged.some(({ system }) => !sheet.right(system, item))) {
    made.classList.add("wrong");
    made.labels.push(html("sup", {}, types.map((type) => type || "–").join("·")));
  }
  return made;
}

// ---------------------------------------------------------------- links

/** Links are drawn when a document has its place and whenever it gets another. */
const linked = new ResizeObserver((entries) => {
  for (const { target } of entries) drawLinks(target);
});

function drawLinks(grid) {
  const canvas = grid.querySelector(".links");
  const frame = grid.getBoundingClientRect();
  if (!frame.width) return;
  canvas.setAttribute("width", grid.scrollWidth);
  canvas.setAttribute("height", grid.scrollHeight);
  const places = new Map(); // by side and row, the first element
  for (const each of grid.querySelectorAll(".item:not(.ghost)")) {
    const cell = each.closest(".prose");
    const key = `${each.owner.kind} ${each.row}`;
    if (cell.classList.contains(each.owner.kind) && !places.has(key)) places.set(key, each);
  }
  const path = (side, row, kind) => {
    const before = antecedent(side, row);
    const ends = [before, row].map((each) => places.get(`${side.kind} ${each}`)?.getClientRects()[0]);
    if (!ends[0] || !ends[1]) return [];
    const [from, to] = ends.map((box) => [box.left + box.width / 2 - frame.left, box.top - frame.top + 2]);
    const rise = Math.min(26, 10 + Math.abs(from[0] - to[0]) / 8 + Math.abs(from[1] - to[1]) / 8);
    return [svg("path", { class: kind, d: `M${from}C${from[0]} ${from[1] - rise} ${to[0]} ${to[1] - rise} ${to}` }),
      svg("path", { class: `${kind} tip`, d: `M${to[0]} ${to[1]}l-3 -6h6z` })];
  };
  const found = [];
  for (const each of grid.hits) {
    const { owner, row, ghost } = each;
    if (owner.system >= 0 && !ghost && each.classList.contains("wrong")) found.push(...path(owner, row, "wrong"));
  }
  if (grid.chosen) {
    const { owner, row } = grid.chosen;
    for (const each of owner.chains.get(owner.of.chain[row])) found.push(...path(owner, each, "on"));
  }
  canvas.replaceChildren(...found);
}

// ---------------------------------------------------------------- chains

const itemOf = (event) => event.target.closest?.(".item");

/** Mark the chain of an item on its side, and the same words on the others; null for nothing. */
function light(grid, element) {
  for (const each of grid.querySelectorAll(".item.on")) each.classList.remove("on");
  if (!element) return;
  const { owner, row } = element;
  const keys = new Set(owner.chains.get(owner.of.chain[row]).map((each) => owner.of.key(each)));
  for (const each of grid.querySelectorAll(".item")) {
    each.classList.toggle("on", keys.has(each.owner.of.key(each.row)));
  }
}

/** What is known about an item: its chain on every side, and what was decided. */
function about(sheet, sides, { owner, row }) {
  const key = owner.of.key(row);
  const item = owner.of.item[row];
  const lines = sides.map((side) => {
    const mine = side.byKey.get(key);
    if (mine === undefined) return [side.title, "", "not marked here", side.system < 0 ? "" : verdict(sheet, side.system, item)];
    const chain = side.chains.get(side.of.chain[mine]);
    const before = antecedent(side, mine);
    const words = chain.flatMap((each, n) => [n ? " · " : "",
      html(each === mine ? "strong" : each === before ? "em" : "bdi", {}, wordsOf(side, each))]);
    return [side.title, side.of.names[side.of.chain[mine]], words, side.system < 0 ? "" : verdict(sheet, side.system, item)];
  });
  return html("table", { className: "answers" },
    html("thead", {}, html("tr", {}, ["", "chain", "mentions; antecedent in italics", "type"].map((text) =>
      html("th", { scope: "col" }, text)))),
    html("tbody", {}, lines.map(([title, chain, words, type], n) =>
      html("tr", { className: n ? "" : "gold" }, html("th", { scope: "row" }, bdi(title)), html("td", {}, chain),
        html("td", { dir: "auto" }, words), html("td", { className: "type" }, type)))));
}

/** Choose an item of a grid, or nothing: its chain stays marked and is told below. */
function choose(grid, element) {
  grid.chosen = element === grid.chosen ? null : element;
  light(grid, grid.chosen);
  drawLinks(grid);
  const sheet = sheetOf(state.view);
  grid.nextElementSibling.replaceChildren(...grid.chosen ? [about(sheet, grid.sides, grid.chosen)] : []);
}

for (const [name, way] of [["mouseover", true], ["focusin", true], ["mouseout", false], ["focusout", false]]) {
  document.addEventListener(name, (event) => {
    const element = itemOf(event);
    const grid = element?.closest(".sides");
    if (grid) light(grid, way ? element : grid.chosen);
  });
}

document.addEventListener("click", (event) => {
  const element = itemOf(event);
  if (element) choose(element.closest(".sides"), element);
});

document.addEventListener("keydown", (event) => {
  const element = itemOf(event);
  if (!element) return;
  const grid = element.closest(".sides");
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (event.key === "Enter" || event.key === " ") choose(grid, element);
  else if (event.key === "Escape") choose(grid, grid.chosen);
  else if (!step) return;
  event.preventDefault();
  if (!step) return;
  const every = [...grid.hits.size ? grid.hits : grid.querySelectorAll(".item")];
  const next = every[every.indexOf(element) + step];
  if (!next) return;
  element.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
});

/** The frame of a grid: it scrolls, and tells about what is chosen. */
const framedGrid = (grid, label) => [
  html("div", { className: "scroll document", role: "region", tabIndex: 0, "aria-label": label }, grid,
    html("div", { className: "chain", role: "status" })),
];

// ---------------------------------------------------------------- a whole document

/** How many items of a document a system has of every type, as links to these. */
function typeCounts(sheet, document, { system, kind }) {
  if (system < 0 || sheet.mode !== "types") return [];
  const counts = new Map();
  for (let item = sheet.starts[document.first]; item < sheet.starts[document.end]; item++) {
    const type = sheet.lost(system, item) ? "" : verdict(sheet, system, item);
    if (type) counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  const chosen = { ...EMPTY, view: state.view, a: state.a, b: state.b, class: "all", doc: document.name };
  return sheet.types.filter((type) => counts.has(type)).flatMap((type) => [" ", html("a", {
    href: written({ ...chosen, [kind === "a" ? "from" : "to"]: type }) }, `${type} ${number(counts.get(type))}`)]);
}

const LEGEND = "Numbers and colours identify chains; a system's chain has those of the gold chain that it " +
  "shares most mentions with. Mentions that match the filters are underlined, with a wavy line if a " +
  "system is wrong; gold shows the types of both systems. Dotted outlines: alone in a chain. Dashed " +
  "boxes: mentions not found. Dashed arrows: wrong links. " +
  "Hover over a mention, click it or press Enter on it to see its chain.";

/** The document that the state names, with all that passes the filters marked in it. */
function showDocument(sheet) {
  const has = chainsOf(sheet) !== null;
  const bar = byId("modes");
  bar.hidden = !has;
  byId("document").hidden = !has || !state.doc;
  byId("list").hidden = has && state.doc !== "";
  if (!has) return;
  const counts = new Map(documents.map((each) => [each, 0]));
  for (const item of found) {
    const document = documentAt(sheet.sentence[item]);
    counts.set(document, counts.get(document) + 1);
  }
  const place = documents.findIndex(({ name }) => name === state.doc);
  const to = (n) => () => change({ doc: documents[n].name }, {});
  const nearest = Math.max(0, documents.findIndex((each) => counts.get(each)));
  const mode = (text, doc, pressed) => html("button", { type: "button", "aria-pressed": pressed,
    onclick: () => change({ doc }) }, text);
  const list = html("select", { "aria-label": "document", onchange: ({ target }) => change({ doc: target.value }) },
    documents.map((each) => html("option", { value: each.name, selected: each.name === state.doc },
      `${each.name} (${number(counts.get(each))})`)));
  bar.replaceChildren(mode("sentences", "", !state.doc), mode("whole documents", documents[nearest].name, !!state.doc),
    ...state.doc ? [list,
      html("button", { type: "button", disabled: place < 1, onclick: () => to(place - 1)() }, "previous"),
      html("button", { type: "button", disabled: place + 1 >= documents.length, onclick: () => to(place + 1)() }, "next"),
    ] : []);
  if (!state.doc) return;
  const passed = new Set(found);
  const document = documents[place];
  const sentences = Array.from({ length: document.end - document.first }, (_, n) => document.first + n);
  const grid = sheetOfSides(sheet, document, sentences, (item) => passed.has(item),
    (side) => typeCounts(sheet, document, side));
  byId("document").replaceChildren(html("p", { className: "line" }, LEGEND),
    ...framedGrid(grid, `document ${document.name}`));
  const wanted = state.at && [...grid.hits].find(({ owner, row }) => owner.of.item[row] === Number(state.at));
  if (wanted) choose(grid, wanted);
  const [first] = wanted ? [wanted] : grid.hits;
  const frame = grid.parentElement;
  // The first that passes comes into sight; the window stays where it is.
  if (first) frame.scrollTop = first.getBoundingClientRect().top - frame.getBoundingClientRect().top - 120;
}

/** The words that gold (-1) or a system links an item to, "" for none; undefined without chains. */
function linkedTo(sheet, item, system) {
  if (!chainsOf(sheet) || !sheet.second) return undefined;
  const document = documentAt(sheet.sentence[item]);
  const side = rowsIn(sheet, system, document);
  const row = side.rows.find((each) => side.of.item[each] === item);
  const before = row === undefined ? -1 : antecedent(side, row);
  return before < 0 ? "" : wordsOf(side, before);
}

/** The sentences of an item and of its antecedents. */
function excerpt(sheet, item) {
  const document = documentAt(sheet.sentence[item]);
  const sentences = new Set([sheet.sentence[item]]);
  for (const side of cast(sheet, document)) {
    const row = side.rows.find((each) => side.of.item[each] === item);
    if (row === undefined) continue;
    sentences.add(sentenceAt(side.of.start[row]));
    const before = antecedent(side, row);
    if (before >= 0) sentences.add(sentenceAt(side.of.start[before]));
  }
  const grid = sheetOfSides(sheet, document, [...sentences].sort((x, y) => x - y), (each) => each === item);
  return framedGrid(grid, "sentences");
}

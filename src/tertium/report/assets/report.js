"use strict";
// The comparison report: tabs, the choice of two systems, and a browser of examples.
//
// All that is chosen is one plain object, the state, and the address fragment is its text. A change
// makes a new state, writes the fragment and shows the state; opening a link does the same without
// writing. Nothing else remembers anything.
//
// Data reaches the page as text nodes and attributes only, never as markup.

// ---------------------------------------------------------------- elements

const byId = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

/** An element of HTML. Properties are set, attributes with a dash or of ARIA written. Children
 * may stand in lists, and very many have to: a call takes only so many arguments. */
function html(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-") || key === "role") made.setAttribute(key, value);
    else made[key] = value;
  }
  for (const child of children.flat()) made.append(child);
  return made;
}

/** An element of SVG; all its properties are attributes. */
function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** A name or a text, whichever way it runs. */
const bdi = (text) => html("bdi", {}, text);

const number = (value) => value.toLocaleString("en");
const NONE = "(none)"; // in addresses and values; no label is called so
const worded = (text) => text.replaceAll(NONE, "none");

// ---------------------------------------------------------------- data

const ARRAYS = { u1: Uint8Array, i1: Int8Array, u2: Uint16Array, i2: Int16Array, i4: Int32Array };

/** A column of numbers from base64. */
function unpacked({ type, data }) {
  const text = atob(data);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return new ARRAYS[type](bytes.buffer);
}

const parsed = (id) => JSON.parse(byId(id).textContent);

/** The sentences, which all views share. Texts to search are made when they are first needed. */
class Texts {
  constructor(data) {
    Object.assign(this, data); // documents, files and sentences
  }

  words(sentence) {
    return this.sentences[sentence][3];
  }

  /** Is there a space after a word? */
  spaced(sentence, word) {
    const spaces = this.sentences[sentence][4];
    return !spaces || spaces[word] === "1";
  }

  /** Some words as text; what lies outside the sentence, as a system's span may, is left out. */
  text(sentence, first, last) {
    const words = this.words(sentence);
    const end = Math.min(last, words.length - 1);
    let text = "";
    for (let i = Math.max(first, 0); i <= end; i++) {
      text += words[i];
      if (i < end && this.spaced(sentence, i)) text += " ";
    }
    return text;
  }

  /** Id, document (if there is one) and file. */
  about(sentence) {
    const [document, file, id] = this.sentences[sentence];
    return [id, this.documents[document], this.files[file]];
  }

  /** One byte per sentence: does it hold the text, which is in lower case? */
  holding(wanted) {
    this.texts ??= this.sentences.map((_, i) => this.text(i, 0, Infinity).toLowerCase());
    return Uint8Array.from(this.texts, (each) => each.includes(wanted));
  }

  /** One byte per sentence: does its id or its document hold it? */
  named(wanted) {
    return Uint8Array.from(this.sentences, (_, i) =>
      this.about(i).slice(0, 2).some((text) => text?.toLowerCase().includes(wanted)));
  }
}

/** The items of a metric: a typed array per column, for answers one per system. */
class Sheet {
  constructor(data, sentences) {
    Object.assign(this, data);
    const columns = data.columns;
    const rows = (name, sides = this.systems) => {
      const all = unpacked(columns[name]);
      return sides.map((_, s) => all.subarray(s * this.items, (s + 1) * this.items));
    };
    for (const name of ["sentence", "gold", "extra", "first", "last"]) {
      this[name] = unpacked(columns[name]);
    }
    for (const name of ["flags", "label", "type", "answer"]) this[name] = rows(name);
    // Places of systems where they are not all gold's; second anchors, gold's first, if there are any.
    for (const name of ["said_first", "said_last"]) if (columns[name]) this[name] = rows(name);
    // Of constituents, their order in the files of gold and systems.
    for (const name of ["second", "order"]) {
      if (columns[name]) this[name] = rows(name, [null, ...this.systems]);
    }
    this.groups.forEach((each, n) => { each.of = unpacked(columns[`group${n}`]); });
    // What systems say in a transition: a label, a type, or both.
    this.sayings = this[this.mode] ?? this.types.flatMap((type) =>
      [type, ...this.labels.map((label) => `${type} ${label}`)]);
    this.rights = new Uint8Array(this.items);
    this.losses = new Uint8Array(this.items); // systems that were not judged on the item
    for (const flags of this.flags) {
      for (let i = 0; i < this.items; i++) {
        this.rights[i] += flags[i] >> 1 & 1;
        this.losses[i] += flags[i] >> 2;
      }
    }
    this.starts = new Int32Array(sentences + 1);
    for (let i = 0; i < this.items; i++) this.starts[this.sentence[i] + 1] += 1;
    for (let s = 0; s < sentences; s++) this.starts[s + 1] += this.starts[s];
  }

  /** First and last word as gold (-1) or a system has it. */
  place(system, item) {
    return system < 0 || !this.said_first ? [this.first[item], this.last[item]] :
      [this.said_first[system][item], this.said_last[system][item]];
  }

  /** All its words: some between first and last may be those of others. */
  places(system, item) {
    const [first, last] = this.place(system, item);
    const own = this.gaps?.[system + 1]?.[item];
    return own ? own.map((at) => first + at) :
      Array.from({ length: first < 0 ? 0 : last - first + 1 }, (_, n) => first + n);
  }

  /** The second anchor as gold (-1) or a system has it: a word, -1 for the root, -2 for none. */
  anchor(system, item) {
    return this.second ? this.second[system + 1][item] : -2;
  }

  answered(system, item) {
    return this.flags[system][item] & 1;
  }

  right(system, item) {
    return this.flags[system][item] >> 1 & 1;
  }

  /** Was the system not judged on the item, because its words are different there? */
  lost(system, item) {
    return this.flags[system][item] >> 2;
  }

  /** What a system says as it stands in a transition: a code of `sayings`, -1 for nothing. */
  said(system, item) {
    const isSilent = this.extra[item] && !this.answered(system, item);
    if (isSilent && (this.mode === "labels" || !this.silence)) return -1;
    const label = this.label[system][item];
    const type = this.type[system][item];
    if (this.mode === "labels") return label;
    return this.mode === "types" ? type : type * (this.labels.length + 1) + label + 1;
  }

  name(code, names = this.labels) {
    return code < 0 ? NONE : names[code];
  }

  /** The code of a name; -2 where nothing has that name. */
  code(name, names = this.labels) {
    return [NONE, ...names].indexOf(name) - 1;
  }
}

const views = [...document.querySelectorAll(".view")];
const viewIds = views.map((view) => view.dataset.view);
const viewOf = (id) => views[viewIds.indexOf(id)];
const sections = (id) => [...viewOf(id)?.querySelectorAll("section.part") ?? []];
const tabs = [...document.querySelectorAll("[role=tab]")];
const texts = new Texts(parsed("texts"));
const sheets = new Map();

/** The sheet of a view, read when it is first shown; null where there is no view or no items. */
function sheetOf(view) {
  const place = viewIds.indexOf(view);
  if (!sheets.has(place)) {
    const data = place < 0 ? null : parsed(`sheet-${place}`);
    sheets.set(place, data && new Sheet(data, texts.sentences.length));
  }
  return sheets.get(place);
}

// ---------------------------------------------------------------- the state and its address

const CLASSES = {
  different: "all differences",
  corrections: "corrections",
  new: "new errors",
  changed: "changed errors",
  same: "same answers",
  all: "all answers",
};
const OF = { "": "all", gold: "in gold", systems: "false positives" };
// Keys of the address, with what to call their values.
const NAMED = {
  view: "metric", class: "class", of: "side", many: "number of systems", part: "section",
  text: "text", item: "text", id: "text", at: "example", by: "group", gold: "gold label",
  from: "answer", to: "answer", a: "system", b: "system", right: "system", wrong: "system",
  doc: "document",
};
// What is chosen beside the view and the pair, in the order of the address.
const EMPTY = {
  class: "different", of: "", gold: "", from: "", to: "", many: "", text: "", item: "", id: "",
  part: "", at: "", doc: "", right: [], wrong: [], by: [],
};
const FILTERS = Object.keys(EMPTY).filter((key) => !["class", "part", "doc"].includes(key));

/** Systems that can be compared in a view: those of its items, or else of its parts. */
function systemsOf(view) {
  const sheet = sheetOf(view);
  if (sheet) return sheet.systems;
  const named = sections(view).flatMap(({ dataset }) => [dataset.a, dataset.b]);
  return [...new Set(named)].filter((name) => name !== undefined);
}

/** The groups of a view as the address has them: KEY=NAME. */
const groupsOf = (view) =>
  (sheetOf(view)?.groups ?? []).flatMap(({ key, names }) => names.map((name) => `${key}=${name}`));

/** The state that an address stands for; what a view does not have is left out and `unknown`.
 *
 * It opens with the differences of the pair; with filters alone, with all items that pass them. */
function read(fragment) {
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  const view = viewIds.find((id) => id === given.get("view")) ?? viewIds[0];
  const state = { view };
  for (const key in EMPTY) state[key] = given.get(key) ?? EMPTY[key];
  const isNarrow = FILTERS.some((key) => given.get(key));
  if (isNarrow) state.class = given.get("class") ?? "all";
  const systems = systemsOf(view);
  if (state.many && !(state.many >= 0 && state.many <= systems.length)) state.many = EMPTY.many;
  const parts = sections(view).map((part) => part.dataset.part);
  const known = { class: Object.keys(CLASSES), of: Object.keys(OF),
    part: ["", "overview", "settings", "examples", ...parts],
    doc: ["", ...sheetOf(view) && chainsOf(sheetOf(view)) ? documents.map(({ name }) => name) : []] };
  for (const key in known) if (!known[key].includes(state[key])) state[key] = EMPTY[key];
  const among = (key, names = systems) => given.getAll(key).filter((name) => names.includes(name));
  state.right = among("right");
  state.wrong = among("wrong");
  state.by = among("by", groupsOf(view));
  // The pair that the view opens with, as far as the address does not name another.
  const { from, to } = viewOf(view)?.dataset ?? {};
  const usual = [from, to, ...systems].filter((name) => systems.includes(name));
  const [a] = among("a");
  const b = among("b").find((name) => name !== a);
  state.a = a ?? usual.find((name) => name !== b) ?? "";
  state.b = b ?? usual.find((name) => name !== state.a) ?? state.a;
  if (state.a === state.b && !given.has("class")) state.class = "all";
  state.unknown = unknownOf(given, state, systems);
  state.asked = (given.has("class") || isNarrow) && !state.at && !state.part && !state.doc;
  return state;
}

/** What an address names and this page does not have, in words. */
function unknownOf(given, state, systems) {
  const sheet = sheetOf(state.view);
  const told = [];
  for (const [key, value] of given) {
    const names = { gold: sheet?.labels, from: sheet?.sayings, to: sheet?.sayings }[key];
    const has = () => (["a", "b"].includes(key) ? systems.includes(value) :
      names ? !value || sheet.code(value, names) >= -1 : [state[key]].flat().includes(value));
    if (!Object.hasOwn(NAMED, key)) told.push(`key “${key}”`);
    else if (!has()) told.push(`${NAMED[key]} “${value}”`);
  }
  return [...new Set(told)];
}

/** The address of a state: the view, the pair, and whatever else is not as it is by default. */
function written(state) {
  const given = new URLSearchParams();
  const isNarrow = FILTERS.some((key) => state[key]?.length);
  for (const key of ["view", "a", "b", ...Object.keys(EMPTY)]) {
    for (const value of [state[key]].flat()) {
      if (value && (value !== EMPTY[key] || isNarrow)) given.append(key, value);
    }
  }
  return `#${given}`;
}

/** Is any filter of examples set? */
const isFiltered = (state) => state.class !== EMPTY.class ||
  FILTERS.some((key) => key !== "at" && state[key].length);

let state = null;

// In the frame that a notebook gives it, a page has no address of its own, and no history.
const framed = location.protocol === "about:";

/** Put what is chosen into the address. */
function remember(state, replaces) {
  if (!framed) history[replaces ? "replaceState" : "pushState"](null, "", written(state));
}

/** Choose something else. Typing replaces the entry of the history, all else makes one. */
function change(patch, { replaces } = {}) {
  // What another view does not have is dropped without a word: nobody asked for it there.
  const wanted = { ...read(written({ ...state, part: "", at: "", ...patch })), unknown: [] };
  remember(wanted, replaces);
  show(wanted);
}

/** Go where a link or the history leads, and to what it is about. */
function visit(fragment) {
  const wanted = read(fragment);
  show(wanted);
  const part = wanted.asked ? "examples" : wanted.part;
  if (part) {
    (sections(wanted.view).find((each) => !each.hidden && each.dataset.part === part) ?? byId(part))
      ?.scrollIntoView();
  } else if (wanted.doc) {
    byId(wanted.at ? "document" : "modes").scrollIntoView();
  } else if (wanted.at) {
    const place = found.indexOf(Number(wanted.at));
    if (place < 0) tellUnknown([...wanted.unknown, `example “${wanted.at}”`]);
    goTo(place);
  }
}

/** Say what of the address cannot be shown. */
function tellUnknown(things) {
  byId("unknown").textContent = things.length ? `Unknown ${things.join(", ")} in the URL.` : "";
}

/** Show a state: the tab, the parts, the filters, the examples. */
function show(wanted) {
  const fresh = state?.view !== wanted.view;
  state = wanted;
  if (fresh) showView();
  showPair();
  tellUnknown(state.unknown);
  const sheet = sheetOf(state.view);
  byId("examples").hidden = !sheet;
  if (!sheet) return;
  if (fresh) buildFilters(sheet);
  const began = performance.now();
  showExamples(sheet);
  // What filtering took, for whoever wants to know; the tests do.
  byId("list").dataset.milliseconds = (performance.now() - began).toFixed(1);
  syncFilters(sheet);
}

// ---------------------------------------------------------------- tabs, parts and the pair

function showView() {
  for (const view of views) view.hidden = view.dataset.view !== state.view;
  for (const tab of tabs) {
    const chosen = tab.dataset.view === state.view;
    tab.setAttribute("aria-selected", chosen);
    tab.tabIndex = chosen ? 0 : -1;
  }
}

/** A different view keeps the pair and what is searched; labels differ from metric to metric. */
function chooseView(view) {
  change({ view, gold: "", from: "", to: "" });
}

for (const tab of tabs) {
  tab.addEventListener("click", () => chooseView(tab.dataset.view));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const ends = { Home: 0, End: tabs.length - 1 }[event.key];
    if (step === undefined && ends === undefined) return;
    event.preventDefault();
    const next = tabs[ends ?? (tabs.indexOf(tab) + step + tabs.length) % tabs.length];
    chooseView(next.dataset.view);
    next.focus();
  });
}

/** What links lead to stays clear of what sticks to the top of the window. */
function clearBar() {
  const stuck = [byId("bar"), byId("pair")].find((each) => getComputedStyle(each).position === "sticky");
  document.documentElement.style.scrollPaddingTop = `${(stuck?.offsetHeight ?? 0) + 12}px`;
}

/** The tables of the chosen pair, or of the same pair the other way round, and the navigation.
 *
 * There are tables one way only; headings then say which way, and that examples go the other. */
function showPair() {
  const { a, b } = state;
  const parts = sections(state.view);
  const ofPair = (a, b) => parts.filter((part) => part.dataset.a === a && part.dataset.b === b);
  const chosen = ofPair(a, b);
  const turned = chosen.length ? [] : ofPair(b, a);
  const shown = [...chosen, ...turned];
  for (const part of parts) part.hidden = part.dataset.a !== undefined && !shown.includes(part);
  for (const part of shown) {
    const aside = turned.length ?
      [" ", html("small", {}, "(tables; examples: ", bdi(a), " → ", bdi(b), ")")] : [];
    part.querySelector("h2").replaceChildren(bdi(part.dataset.title), ...aside);
  }
  const entries = parts.filter((part) => !part.hidden).map((part) =>
    [part.dataset.part, part.dataset.short]);
  if (byId("overview").children.length) entries.unshift(["overview", "Scores"]);
  if (byId("settings")) entries.push(["settings", "Settings"]);
  if (sheetOf(state.view)) entries.push(["examples", "Examples"]);
  byId("examples-heading").textContent = `Examples: ${a} → ${b}`;
  byId("parts").firstElementChild.replaceChildren(...entries.map(([part, title]) =>
    html("li", {}, html("a", { class: part, href: written({ view: state.view, a, b, part }) },
      title))));
  const none = !shown.length && parts.some((part) => part.dataset.a !== undefined);
  showChoice(turned.length ? `The tables go from ${b} to ${a}: a correction there is a new error ` +
    "here." : none ? "This pair has examples but no tables." : "");
  clearBar();
}

/** The pair in the bar: two lists and a button that turns them round, the test of their difference,
 * and how many items are of each class, as links to them. */
function showChoice(note) {
  const { view, a, b } = state;
  const sheet = sheetOf(view);
  const systems = systemsOf(view);
  const bar = byId("pair");
  bar.hidden = systems.length < 2;
  if (bar.hidden) return;
  const focused = bar.contains(document.activeElement) && document.activeElement.dataset.key;
  const list = (key, label) => {
    const onchange = ({ target: { value } }) => {
      const other = key === "a" ? "b" : "a";
      const swapped = value === state[other] ? { [other]: state[key] } : {};
      change({ [key]: value, ...swapped, from: "", to: "" });
    };
    return html("select", { "aria-label": label, "data-key": key, onchange },
      options(systems.map((name) => [name, name]), state[key]));
  };
  const title = "swap the two systems";
  const onclick = () => change({ a: state.b, b: state.a, from: state.to, to: state.from });
  const turn = html("button", { type: "button", title, "aria-label": title, "data-key": "turn",
    onclick }, "⇄");
  const tested = sheet?.tests.find(([from, to]) => from === a && to === b)?.[2] ?? "";
  const links = sheet ? ["corrections", "new", "changed"].map((kind) => {
    const count = matches(sheet, { ...EMPTY, class: kind }).length;
    const name = count === 1 ? CLASSES[kind].slice(0, -1) : CLASSES[kind];
    return html("a", { href: written({ view, a, b, class: kind }), className: kind },
      html("strong", {}, number(count)), ` ${name}`);
  }) : [];
  bar.replaceChildren(
    html("span", { className: "choice" }, list("a", "from system"), " → ", list("b", "to system"),
      " ", turn),
    ...links, html("span", { className: "tested" }, tested),
    html("span", { className: "note" }, note));
  if (focused) bar.querySelector(`[data-key=${focused}]`).focus();
}

function options(entries, chosen) {
  return entries.map(([value, name]) => html("option", { value, selected: value === chosen }, worded(name)));
}

// ---------------------------------------------------------------- filters

const field = (label, inside) =>
  html("label", { className: "field" }, html("span", {}, label), inside);

/** The form, made once for a view; `syncFilters` writes the state into it. */
function buildFilters(sheet) {
  const input = (name, placeholder) => {
    const oninput = ({ target }) => change({ [name]: target.value }, { replaces: true });
    return html("input", { type: "search", name, placeholder, spellcheck: false, oninput });
  };
  const select = (name, entries) => {
    const onchange = ({ target }) => change({ [name]: target.value });
    return html("select", { name, onchange }, options(entries, ""));
  };
  const transition = html("select", { name: "transition", onchange: () => {
    const [from, to] = transition.value ? JSON.parse(transition.value) : ["", ""];
    change({ from, to });
  } });
  const meanings = Object.entries(sheet.meanings).flatMap(([type, meaning], i) =>
    [i ? "; " : "types: ", html("strong", {}, type), ` ${meaning}`]);
  byId("meanings").replaceChildren(...meanings);
  const several = sheet.systems.length > 1;
  const counts = sheet.systems.map((_, s) => [`${s + 1}`, `${s + 1} of ${sheet.systems.length}`]);
  byId("filters").replaceChildren(
    html("div", { className: "row" },
      several ? field("class", select("class", Object.entries(CLASSES))) : [],
      field(goldWord(sheet), select("gold", goldEntries(sheet))),
      sheet.extra.includes(1) ? field("side", select("of", Object.entries(OF))) : [],
      several ? field("transition", transition) : [],
      sheet.groups.map(groupField),
      field("words in the sentence", input("text", "press / to search"))),
    html("details", { open: byId("filters").querySelector("details")?.open ?? false },
      html("summary", {}, "more filters"),
      html("div", { className: "row" },
        field(`text of the ${sheet.item}`, input("item", "")),
        field("sentence or document", input("id", "")),
        field("correct systems", select("many", [["", "any number"], ["0", "none"], ...counts])),
        sheet.systems.map(whoField))),
  );
}

/** Most frequent first, then by name; the count stands last. */
function byCount(x, y) {
  return y.at(-1) - x.at(-1) || (x.join() < y.join() ? -1 : 1);
}

const MOST_LABELS = 1000; // in a list, which takes seconds to draw with a hundred times as many

/** What the labels of gold are called: of items in chains they say what these are. */
const goldWord = (sheet) => chainsOf(sheet) ? `kind of ${sheet.item}` : "gold label";

function goldEntries(sheet) {
  const counts = new Map();
  for (const code of sheet.gold) counts.set(code, (counts.get(code) ?? 0) + 1);
  const named = [...counts].map(([code, count]) => [sheet.name(code), count]).sort(byCount);
  const shown = named.slice(0, MOST_LABELS);
  const any = shown.length < named.length ? `any (the ${number(shown.length)} most frequent are listed)` : "any";
  return [["", any], ...shown.map(([name, count]) => [name, `${name} (${number(count)})`])];
}

function whoField(name) {
  const entries = [["", "any"], ["right", "✓ correct"], ["wrong", "✗ wrong"]];
  const onchange = ({ target: { value } }) => {
    const without = (key) => state[key].filter((other) => other !== name);
    const patch = { right: without("right"), wrong: without("wrong") };
    if (value) patch[value].push(name);
    change(patch);
  };
  return field(bdi(name), html("select", { "data-system": name, onchange }, options(entries, "")));
}

/** The groups by one key. */
function groupField({ key, names }) {
  const onchange = ({ target: { value } }) => {
    const others = state.by.filter((each) => !names.some((name) => each === `${key}=${name}`));
    change({ by: value ? [...others, value] : others });
  };
  return field(bdi(key), html("select", { "data-group": key, onchange },
    options([["", "any"], ...names.map((name) => [`${key}=${name}`, name])], "")));
}

/** The state in the form; a field one is typing in is left alone. */
function syncFilters(sheet) {
  const form = byId("filters");
  for (const key in EMPTY) {
    const field = form.elements.namedItem(key);
    if (!field || field.value === state[key]) continue;
    field.value = state[key];
    // A rare label that a link names may not be in the list yet.
    if (key === "gold" && field.value !== state[key]) {
      field.append(...options([[state[key], state[key]]], state[key]));
    }
  }
  for (const field of form.querySelectorAll("[data-system]")) {
    const name = field.dataset.system;
    field.value = state.right.includes(name) ? "right" : state.wrong.includes(name) ? "wrong" : "";
  }
  for (const field of form.querySelectorAll("[data-group]")) {
    field.value = state.by.find((each) => [...field.options].some(({ value }) => value === each)) ?? "";
  }
  if (["item", "id", "many", "right", "wrong"].some((key) => state[key].length)) {
    form.querySelector("details").open = true;
  }
  byId("clear").hidden = !isFiltered(state);
  const transition = form.elements.transition;
  if (!transition) return;
  const entries = transitions(sheet).map(([from, to, count]) =>
    [JSON.stringify([from, to]), `${from} → ${to} (${number(count)})`]);
  const chosen = state.from || state.to ? JSON.stringify([state.from, state.to]) : "";
  if (chosen && !entries.some(([value]) => value === chosen)) {
    entries.unshift([chosen, `${state.from || "any"} → ${state.to || "any"}`]);
  }
  transition.replaceChildren(...options([["", "any"], ...entries], chosen));
}

/** The commonest transitions of the pair, the class and the gold label. */
function transitions(sheet) {
  const [a, b] = pairOf(sheet);
  const size = sheet.sayings.length + 1;
  const counts = new Map();
  for (const i of matches(sheet, { ...EMPTY, class: state.class, gold: state.gold })) {
    const key = (sheet.said(a, i) + 1) * size + sheet.said(b, i) + 1;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) =>
    [...[Math.floor(key / size), key % size].map((code) => sheet.name(code - 1, sheet.sayings)), count],
  ).sort(byCount).slice(0, 200);
}

function pairOf(sheet) {
  return [sheet.systems.indexOf(state.a), sheet.systems.indexOf(state.b)];
}

/** Numbers of the items that pass all filters, in text order; of all differences, those first in
 * which one of the two systems is right. */
function matches(sheet, wanted) {
  const [a, b] = pairOf(sheet);
  const tests = []; // one per active filter
  // What neither system says of an item that gold does not have is no item of the pair.
  const ofPair = (i) => !sheet.extra[i] || sheet.answered(a, i) || sheet.answered(b, i);
  const differ = (i) => sheet.answer[a][i] !== sheet.answer[b][i];
  const kinds = {
    corrections: (i) => !sheet.right(a, i) && sheet.right(b, i),
    new: (i) => sheet.right(a, i) && !sheet.right(b, i),
    changed: (i) => !sheet.right(a, i) && !sheet.right(b, i) && differ(i),
    different: differ,
    same: (i) => !differ(i) && ofPair(i),
  };
  if (kinds[wanted.class]) tests.push(kinds[wanted.class]);
  // Of a pair what either system lost is left out, of all systems what any did.
  const isPair = kinds[wanted.class] || wanted.from || wanted.to;
  if (isPair && sheet.shared === "common") {
    tests.push((i) => !sheet.extra[i] && sheet.answered(a, i) && sheet.answered(b, i));
  }
  if (sheet.losses.some((n) => n)) {
    tests.push((i) => !(isPair ? sheet.lost(a, i) || sheet.lost(b, i) : sheet.losses[i]));
  }
  if (wanted.of) {
    const value = wanted.of === "gold" ? 0 : 1;
    tests.push((i) => sheet.extra[i] === value);
  }
  if (wanted.gold) {
    const code = sheet.code(wanted.gold);
    tests.push((i) => sheet.gold[i] === code);
  }
  for (const [key, system] of [["from", a], ["to", b]]) {
    if (!wanted[key]) continue;
    const code = sheet.code(wanted[key], sheet.sayings);
    tests.push((i) => sheet.said(system, i) === code);
  }
  if (wanted.from || wanted.to) tests.push(ofPair);
  if (wanted.many) {
    const many = Number(wanted.many);
    tests.push((i) => sheet.rights[i] === many);
  }
  for (const [key, value] of [["right", 1], ["wrong", 0]]) {
    for (const name of wanted[key]) {
      const system = sheet.systems.indexOf(name);
      tests.push((i) => sheet.right(system, i) === value);
    }
  }
  for (const { key, names, of } of sheet.groups) {
    const code = names.findIndex((name) => wanted.by.includes(`${key}=${name}`));
    if (code >= 0) tests.push((i) => of[i] === code);
  }
  for (const [key, how] of [["text", "holding"], ["id", "named"]]) {
    if (!wanted[key]) continue;
    const has = texts[how](wanted[key].toLowerCase());
    tests.push((i) => has[sheet.sentence[i]]);
  }
  if (wanted.item) {
    const text = wanted.item.toLowerCase();
    tests.push((i) =>
      texts.text(sheet.sentence[i], sheet.first[i], sheet.last[i]).toLowerCase().includes(text));
  }
  const passed = new Uint32Array(sheet.items);
  let count = 0;
  for (let i = 0; i < sheet.items; i++) if (tests.every((passes) => passes(i))) passed[count++] = i;
  const all = passed.subarray(0, count);
  if (wanted.class !== "different") return all;
  const isSettled = (i) => sheet.right(a, i) !== sheet.right(b, i);
  const settled = all.filter(isSettled);
  const rest = all.filter((i) => !isSettled(i));
  all.set(settled);
  all.set(rest, settled.length);
  return all;
}

// ---------------------------------------------------------------- the list of examples

const PORTION = 20;
const SCREEN = 4; // so many fill the window; the rest of the first portion can come a moment later
let found = []; // numbers of the items
let drawn = 0;
let later = 0;

function showExamples(sheet) {
  found = matches(sheet, state);
  drawn = 0;
  byId("list").replaceChildren();
  byId("count").textContent = `${number(found.length)} of ${number(sheet.items)} ${sheet.item}s`;
  byId("filtered").textContent = described(sheet);
  clearTimeout(later);
  if (!state.doc) {
    drawMore(SCREEN);
    later = setTimeout(() => drawMore(PORTION - drawn));
  } else byId("more").hidden = true;
  showDocument(sheet);
}

/** The filters in words, for those who print the page or cannot see the form at once. */
function described(sheet) {
  const several = sheet.systems.length > 1;
  const { a, b, from, to } = state;
  const told = [];
  if (several && state.class !== "all") told.push(CLASSES[state.class]);
  if (from || to) told.push(`${a} says ${from || "anything"}, ${b} says ${to || "anything"}`);
  if (state.of) told.push(OF[state.of]);
  told.push(...state.by);
  if (state.gold) told.push(`${goldWord(sheet)}: ${state.gold}`);
  if (state.many) told.push(`correct systems: ${state.many}`);
  for (const key of ["right", "wrong"]) {
    if (state[key].length) told.push(`${key === "right" ? "correct" : key}: ${state[key].join(", ")}`);
  }
  const searched = { text: "sentence with", item: `${sheet.item} with`, id: "sentence or document" };
  for (const key in searched) if (state[key]) told.push(`${searched[key]} “${state[key]}”`);
  return told.join("; ");
}

function drawMore(many = PORTION) {
  const sheet = sheetOf(state.view);
  const until = Math.min(drawn + many, found.length);
  const made = [];
  for (; drawn < until; drawn++) made.push(example(sheet, found[drawn], drawn));
  byId("list").append(...made);
  byId("more").hidden = drawn >= found.length;
}

byId("more").addEventListener("click", () => {
  const next = drawn;
  drawMore();
  byId("list").children[next]?.focus();
});

// The button comes into sight when one scrolls to the end; then nobody needs to press it.
new IntersectionObserver((entries) => {
  if (entries.some((entry) => entry.isIntersecting) && drawn >= PORTION) drawMore();
}, { rootMargin: "400px" }).observe(byId("more"));

/** To the example at a place in the list, drawing the list as far as that. */
function goTo(place) {
  if (!(place in found)) return;
  while (drawn <= place) drawMore();
  const element = byId("list").children[place];
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: "nearest" });
  state = { ...state, at: `${found[place]}`, part: "" };
  remember(state, true);
}

/** One item: where it stands, the sentence, what everybody says, and a picture. */
function example(sheet, item, place) {
  const sentence = sheet.sentence[item];
  const [id, document, file] = texts.about(sentence);
  const where = [/^\d+$/.test(id) ? `sentence ${id}` : id];
  // Ids often begin with the name of the document, and most reports have one file.
  if (!id.startsWith(document ?? "")) where.push(document);
  if (texts.files.length > 1) where.push(file);
  const made = html("li", { className: "example", tabIndex: -1 },
    html("p", { className: "where" },
      html("a", { href: written({ ...state, at: `${item}`, part: "" }) }, number(place + 1)),
      where.map(bdi), html("span", { className: "kind" }, kindOf(sheet, item)),
      chainsOf(sheet) ? html("a", { href: written({ ...state, at: `${item}`, part: "",
        doc: documentAt(sentence).name }) }, "in its document") : []),
    sentenceLine(sheet, item),
    answers(sheet, item));
  if (chainsOf(sheet)) made.append(...excerpt(sheet, item));
  else if (sheet.second || sheet.said_first || sheet.order) made.append(html("div", {
    className: sheet.order ? "scroll art nested" : "scroll art", tabIndex: 0, role: "region", "aria-label": "picture",
  }, sheet.order ? trees(sheet, item) : picture(sheet, item)));
  return made;
}

/** The class of an item in the words of a list. */
function kindOf(sheet, item) {
  const [a, b] = pairOf(sheet);
  const [was, is] = [sheet.right(a, item), sheet.right(b, item)];
  if (sheet.answer[a][item] === sheet.answer[b][item]) return "";
  if (sheet.lost(a, item) || sheet.lost(b, item)) return "";
  return was ? (is ? "both correct" : "new error") : is ? "correction" : "changed error";
}

/** The words that are shown of a sentence: all, or a window around the item in a long one. */
function windowOf(sentence, first, last, around) {
  const end = texts.words(sentence).length - 1;
  if (end < 3 * around) return [0, end];
  return [Math.max(0, first - around), Math.min(end, Math.max(last, first) + around)];
}

/** The words near an item, which is marked: where the first system has it and not as gold, if gold
 * does not have it. */
function sentenceLine(sheet, item) {
  const sentence = sheet.sentence[item];
  const first = sheet.first[item];
  const [low, high] = windowOf(sentence, first, sheet.last[item], 40);
  const last = Math.min(sheet.last[item], high);
  const part = (from, to) => texts.text(sentence, from, to);
  const space = (word) => (word >= low && word < high && texts.spaced(sentence, word) ? " " : "");
  const begins = low > 0 ? "… " : "";
  const ends = high < texts.words(sentence).length - 1 ? " …" : "";
  return html("p", { className: "sentence", dir: "auto" },
    first < low || first > high ? begins + part(low, high) + ends : [
      begins + part(low, first - 1) + space(first - 1),
      html(sheet.extra[item] ? "u" : "mark", {}, part(first, last)),
      space(last) + part(last + 1, high) + ends,
    ]);
}

/** Gold, and below it one row for each distinct answer with the systems that give it. */
function answers(sheet, item) {
  const rows = new Map();
  sheet.systems.forEach((_, s) => {
    if (sheet.lost(s, item)) return;
    const key = `${sheet.answer[s][item]} ${sheet.right(s, item)} ${sheet.type[s][item]}`;
    rows.set(key, [...rows.get(key) ?? [], s]);
  });
  const gold = sheet.extra[item] ? NONE : sheet.name(sheet.gold[item]);
  const body = [html("tr", { className: "gold" }, html("td"), html("th", { scope: "row" }, "gold"),
    html("td", {}, bdi(worded(gold))), place(sheet, item, -1), html("td"))];
  const sorted = [...rows.values()].sort((x, y) => sheet.right(y[0], item) - sheet.right(x[0], item));
  for (const systems of sorted) {
    const one = systems[0];
    const right = sheet.right(one, item);
    const answered = sheet.answered(one, item);
    const says = answered ? sheet.name(sheet.label[one][item]) : NONE;
    const tells = !right && (answered || !sheet.extra[item]);
    const type = tells ? sheet.types[sheet.type[one][item]] ?? "" : "";
    body.push(html("tr", { className: right ? "right" : "wrong" },
      html("td", { className: "sign", title: right ? "correct" : "wrong" }, right ? "✓" : "✗"),
      html("th", { scope: "row" }, names(sheet, systems)),
      html("td", {}, bdi(worded(says))),
      place(sheet, item, one),
      html("td", { className: "type" }, type)));
  }
  const typed = body.some((row) => row.lastElementChild.textContent);
  const where = chainsOf(sheet) && sheet.second ? "antecedent" : sheet.second ? "of" : sheet.said_first ? "words" : "";
  const head = ["", "", where ? "label" : "says", where, typed ? "type" : ""];
  return html("div", { className: "scroll" }, html("table", { className: "answers" },
    html("thead", {}, html("tr", {}, head.map((text) => html("th", { scope: "col" }, text)))),
    html("tbody", {}, body)));
}

/** Names of systems; the two that are compared stand out. */
function names(sheet, systems) {
  return systems.flatMap((s, i) => {
    const name = sheet.systems[s];
    const chosen = name === state.a || name === state.b;
    return [i ? ", " : "", html("bdi", { className: chosen ? "chosen" : "" }, name)];
  });
}

/** The second anchor of gold (-1) or a system, and the words it takes where they are not gold's. */
function place(sheet, item, system) {
  const cell = html("td", { className: "place" });
  if (system >= 0 ? !sheet.answered(system, item) : sheet.extra[item]) return cell;
  const sentence = sheet.sentence[item];
  const linked = linkedTo(sheet, item, system);
  if (linked !== undefined) {
    if (linked) cell.append("← ", bdi(linked));
    return cell;
  }
  const second = sheet.anchor(system, item);
  const word = second === -1 ? "root" : texts.words(sentence)[second];
  if (word !== undefined) {
    cell.append("← ", html(second < 0 ? "i" : "bdi", {}, word));
    if (second >= 0) cell.append(html("sub", {}, `${second + 1}`));
  }
  const [first, last] = sheet.place(system, item);
  const same = first === sheet.first[item] && last === sheet.last[item] && !sheet.extra[item];
  if (sheet.said_first && !same && first >= 0) {
    cell.append(html("u", { dir: "auto" }, texts.text(sentence, first, last)));
  }
  return cell;
}

// ---------------------------------------------------------------- pictures
//
// Words, boxes over them and arcs between them, laid out as report/layout.py does it.

const LEVEL = 17; // from one level to the next
const TIP = 5; // of arrows, ends of brackets, and between the feet of two arcs
const LINES = { a: "5 3", b: "1.5 3", ab: "9 3 2 3" };
const pen = document.createElement("canvas").getContext("2d");
const widths = new Map();

/** How wide a text is in letters of 11 or 14 pixels; measuring is slow and words come again. */
function widthOf(text, size) {
  const key = `${size} ${text}`;
  if (!widths.has(key)) {
    pen.font = `${size}px sans-serif`;
    widths.set(key, pen.measureText(text).width);
  }
  return widths.get(key);
}

/** Gold above the words; below them what the two chosen systems say instead. */
function picture(sheet, item) {
  const sentence = sheet.sentence[item];
  const [low, high] = windowOf(sentence, sheet.first[item], sheet.last[item], 14);
  const words = texts.words(sentence).slice(low, high + 1);
  const made = (i, system, kind) => shapes(sheet, i, system, kind, low, high);
  const [above, below] = [[], []];
  for (let i = sheet.starts[sentence]; i < sheet.starts[sentence + 1]; i++) {
    if (!sheet.extra[i]) above.push(...made(i, -1, i === item ? "gold this" : "gold"));
    below.push(...wrong(sheet, i, made));
  }
  const chosen = words.map((_, i) => low + i >= sheet.first[item] && low + i <= sheet.last[item]);
  return drawing(words, chosen, half(above, words.length, -1), half(below, words.length, 1));
}

/** What gold (-1) or a system has of an item, as far as it is among the words from `low` to `high`:
 * an arc where there is a second anchor, else or over several words a box. */
function shapes(sheet, item, system, kind, low, high) {
  const place = sheet.place(system, item);
  const [first, last] = [Math.max(place[0], low) - low, Math.min(place[1], high) - low];
  const source = sheet.anchor(system, item);
  const several = first < last;
  if (place[0] < 0 || last < first || (sheet.second && source === -2 && !several)) return [];
  const label = worded(sheet.name(system < 0 ? sheet.gold[item] : sheet.label[system][item]));
  const box = { first, last, label, kind };
  if (source === -2) return [box];
  const root = source === -1;
  const outside = !root && (source < low || source > high || source === place[0]);
  const at = root || outside ? first : source - low;
  const arc = { first: Math.min(at, first), last: Math.max(at, first), source: at, target: first, kind,
    label: (several ? "" : label) + (outside ? " ⋯" : ""), root, outside };
  return several ? [box, arc] : [arc];
}

/** What the two systems say where it is not right; once where they say the same. */
function wrong(sheet, item, made) {
  const [a, b] = pairOf(sheet);
  const said = (system) => sheet.answered(system, item) && !sheet.right(system, item);
  const same = said(a) && sheet.answer[a][item] === sheet.answer[b][item];
  if (same) return made(item, a, a === b ? "a" : "ab");
  return [[a, "a"], [b, "b"]].flatMap(([system, kind]) => (said(system) ? made(item, system, kind) : []));
}

/** Levels as low as nesting allows: the shortest first, each above all that lies under it. A box
 * lies over its words, an arc over what is between (`more` is 0). */
function level(shapes, size, more) {
  const heights = new Array(size + 1).fill(0);
  const length = (each) => each.last - each.first;
  for (const each of [...shapes].sort((x, y) => length(x) - length(y) || x.first - y.first)) {
    each.level = 1 + Math.max(...heights.slice(each.first, each.last + more));
    heights.fill(each.level, each.first, each.last + more);
  }
  return Math.max(...heights);
}

/** Shapes on one side of the words, arcs above boxes. At a source the feet of high arcs stand nearer
 * to the middle; arcs from no word stand above everything. `away` leads from the words. */
function half(shapes, size, away) {
  const arcs = shapes.filter((each) => each.target !== undefined);
  const joined = arcs.filter((each) => each.first < each.last);
  const rise = level(shapes.filter((each) => !arcs.includes(each)), size, 1);
  const top = Math.max(level(joined, size, 0), 1) + 1;
  const feet = {};
  for (const each of [...joined].sort((x, y) => y.level - x.level)) {
    const way = Math.sign(each.target - each.source);
    const key = [each.source, way];
    feet[key] = (feet[key] ?? 0) + 1;
    each.leaves = feet[key] * way * TIP;
  }
  for (const each of arcs) each.level = rise + (each.level ?? top);
  const highest = Math.max(0, ...shapes.map((each) => each.level));
  return { shapes, away, rise: rise * LEVEL, height: highest * LEVEL + (highest ? 14 : 6) };
}

/** Middles of words and half their widths, so far apart that words and labels have room. */
function spread(words, shapes) {
  const halves = words.map((word) => widthOf(word, 14) / 2 + 7);
  for (const { first, last, label, source, leaves = 0 } of shapes) {
    if (first === last) halves[first] = Math.max(halves[first], widthOf(label, 11) / 2 + 5);
    else if (leaves) halves[source] = Math.max(halves[source], Math.abs(leaves) + 2);
  }
  const middles = [];
  halves.forEach((half, i) => {
    let at = i ? middles[i - 1] + halves[i - 1] + half : half;
    for (const { first, last, label, leaves = 0 } of shapes) {
      const room = widthOf(label, 11) + Math.abs(leaves) + 18;
      if (last === i && first < i) at = Math.max(at, middles[first] + room);
    }
    middles.push(at);
  });
  return { middles, halves, length: words.length ? middles.at(-1) + halves.at(-1) : 0 };
}

/** Does most of the text run from right to left? */
function leftward(words) {
  const text = words.join("");
  const back = text.match(/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/g)?.length ?? 0;
  return back * 2 > (text.match(/\p{L}/gu)?.length ?? 0);
}

const letters = (text, x, y, look, anchor = "middle") =>
  svg("text", { class: look, x, y, "text-anchor": anchor }, text);

function drawing(words, chosen, upper, lower) {
  const all = [...upper.shapes, ...lower.shapes];
  const { middles, halves, length } = spread(words, all);
  const turned = leftward(words);
  const x = (at) => (turned ? length - at : at) + 4;
  upper.edge = upper.height;
  lower.edge = upper.edge + 22;
  const cut = all.some((each) => each.outside);
  const legend = lower.shapes.length || cut ? 18 : 0;
  const total = lower.edge + lower.height + legend;
  const width = Math.max(length + 8, legend ? 420 + (cut ? 140 : 0) : 0);
  const made = svg("svg", { role: "img", width, height: total, viewBox: `0 0 ${width} ${total}`,
    "aria-label": told(words, all) });
  words.forEach((word, i) => made.append(
    letters(word, x(middles[i]), upper.edge + 15, chosen[i] ? "word this" : "word")));
  for (const side of [upper, lower]) {
    for (const each of side.shapes) {
      const { first, last, source, target, leaves = 0 } = each;
      each.ends = (target === undefined ?
        [middles[first] - halves[first] + 3, middles[last] + halves[last] - 3] :
        [middles[source] + leaves, middles[target]]).map(x);
      each.y = side.edge + side.away * each.level * LEVEL;
    }
    made.append(...side.shapes.map((each) => line(each, side)), ...side.shapes.flatMap(name));
  }
  if (legend) made.append(...legendOf(lower.shapes, cut, total - 5));
  return made;
}

function line({ ends: [start, end], y, first, last, target, kind, outside }, { edge, away, rise }) {
  const made = svg("g", { class: `arc ${kind}` });
  const base = edge + away * rise;
  const foot = base + away * TIP;
  let path = `M${start} ${y - away * TIP}V${y}H${end}v${-away * TIP}`;
  if (target !== undefined) {
    const turn = Math.sign(end - start) * 5;
    const inner = y - away * 5;
    path = first === last ? `M${end} ${y}V${foot}` : `M${start} ${base}V${inner}Q${start} ${y} ` +
      `${start + turn} ${y}H${end - turn}Q${end} ${y} ${end} ${inner}V${foot}`;
    made.append(svg("path", { class: "tip", d: `M${end} ${base}l-${TIP / 2} ${away * TIP}h${TIP}z` }));
  }
  const dashes = outside ? "1 3" : LINES[kind] ?? "none";
  made.prepend(svg("path", { d: path, fill: "none", "stroke-dasharray": dashes }));
  return made;
}

/** The label in the middle of its line, on a ground of its own. */
function name({ ends, y, label, kind }) {
  const middle = (ends[0] + ends[1]) / 2;
  const width = label ? widthOf(label, 11) + 4 : 0;
  return [
    svg("rect", { class: "ground", x: middle - width / 2, y: y - 6, width, height: 12 }),
    letters(label, middle, y + 3.7, `label ${kind}`),
  ];
}

function legendOf(below, cut, y) {
  const kinds = new Set(below.map((each) => each.kind));
  const named = [["a", state.a], ["b", state.b], ["ab", "both"]].filter(([kind]) => kinds.has(kind));
  const made = [];
  let at = 4;
  for (const [kind, text] of [["gold", "gold"], ...named]) {
    const short = text.length > 24 ? `${text.slice(0, 23)}…` : text;
    made.push(
      svg("g", { class: `arc ${kind}` }, svg("path", { d: `M${at} ${y - 4}h26`,
        "stroke-dasharray": LINES[kind] ?? "none" })),
      letters(short, at + 31, y, `label ${kind}`, "start"));
    at += widthOf(short, 11) + 47;
  }
  if (cut) made.push(letters("⋯ a word not shown", at, y, "label", "start"));
  return made;
}

/** What differs, in words. */
function told(words, shapes) {
  const who = { a: state.a, b: state.b, ab: `${state.a} and ${state.b}`, "gold this": "gold" };
  return shapes.filter((each) => who[each.kind]).map(({ first, last, source, target, ...each }) => {
    const text = words.slice(target ?? first, (target ?? last) + 1).join(" ");
    const from = each.root ? "the root" : each.outside ? "a word that is not shown" : words[source];
    return `${who[each.kind]}: ${text} is ${each.label}${target === undefined ? "" : ` of ${from}`}`;
  }).join("; ") || words.join(" ");
}

// Constituents as trees, laid out as report/tree.py does it.

const ROW = 26; // from one level to the next
const MOST = 400; // words
const CHAIN = 12; // nodes over the same words; what is below them is left out
const SIGNS = { missing: " −", extra: " +", wrong: " ≠" };

/** Gold and the two chosen systems, each as a tree over words at the same places. */
function trees(sheet, item) {
  const [a, b] = pairOf(sheet);
  const sentence = sheet.sentence[item];
  const words = texts.words(sentence).slice(0, MOST);
  const sides = [[-1, "gold", "gold this"], [a, state.a, "a"], [b, state.b, "b"]]
    .slice(0, a === b ? 2 : 3)
    .map(([system, ...more]) => [nodesOf(sheet, sentence, system, words.length), ...more]);
  const columns = spread(words, sides.flatMap(([nodes]) => nodes));
  const owner = sheet.extra[item] ? sheet.systems.findIndex((_, s) => sheet.answered(s, item)) : -1;
  const own = sheet.places(owner, item);
  const chosen = words.map((_, i) => own.includes(i));
  return sides.map((side) => tree(words, chosen, columns, ...side));
}

/** What is wrong with a node of gold (-1), which one of the two systems may lack, or of a system. */
function outcome(sheet, system, item) {
  if (system >= 0) return sheet.right(system, item) ? "" : sheet.extra[item] ? "extra" : "wrong";
  const wrong = pairOf(sheet).filter((s) => !sheet.right(s, item));
  return !wrong.length ? "" : wrong.some((s) => sheet.answered(s, item)) ? "wrong" : "missing";
}

/** The nodes of a sentence, larger ones first: their words, the stretch of these that the label
 * stands over, the level, and what is under each, numbers for words. */
function nodesOf(sheet, sentence, system, size) {
  let found = [];
  for (let i = sheet.starts[sentence]; i < sheet.starts[sentence + 1]; i++) {
    if (system < 0 ? sheet.extra[i] : !sheet.answered(system, i)) continue;
    const places = sheet.places(system, i).filter((place) => place < size);
    const code = system < 0 ? sheet.gold[i] : sheet.label[system][i];
    const wrong = outcome(sheet, system, i);
    const excused = !wrong && system >= 0 && sheet.extra[i] ? " ≈" : "";
    const name = sheet.name(code); // where labels are not compared, a node is called one
    const label = (name === sheet.item ? "•" : worded(name)) + (SIGNS[wrong] ?? excused);
    if (places.length) found.push({ item: i, places, label, wrong, under: [] });
  }
  const order = sheet.order[system + 1];
  found.sort((x, y) => y.places.length - x.places.length || order[x.item] - order[y.item]);
  const isLow = (node, n) => found[n - CHAIN]?.places.length === node.places.length &&
    found[n - CHAIN].places[0] === node.places[0];
  found.forEach((node, n) => { if (isLow(node, n) && !isLow(found[n - 1], n - 1)) found[n - 1].label += " …"; });
  found = found.filter((node, n) => !isLow(node, n));
  const lowest = new Array(size);
  for (const node of found) {
    lowest[node.places[0]]?.under.push(node);
    let run = 0;
    let widest = 0;
    node.places.forEach((place, n) => {
      lowest[place] = node;
      run = node.places[n - 1] === place - 1 ? run + 1 : 1;
      if (run > widest) [widest, node.first, node.last] = [run, place - run + 1, place];
    });
  }
  lowest.forEach((node, place) => node?.under.push(place));
  const length = ({ places }) => places.at(-1) - places[0];
  const heights = new Array(size).fill(0);
  for (const node of [...found].reverse().sort((x, y) => length(x) - length(y))) {
    const [first, end] = [node.places[0], node.places.at(-1) + 1];
    node.level = 1 + Math.max(...heights.slice(first, end));
    heights.fill(node.level, first, end);
  }
  return found;
}

function tree(words, chosen, { middles, halves, length }, nodes, title, kind) {
  const turned = leftward(words);
  const base = 36 + Math.max(0, ...nodes.map((node) => node.level)) * ROW; // of the words
  const x = ({ first, last }) => {
    const at = (middles[first] - halves[first] + middles[last] + halves[last]) / 2;
    return (turned ? length - at : at) + 4;
  };
  const y = (node) => base - 8 - node.level * ROW;
  const width = Math.max(length + 8, widthOf(title, 14) + 8);
  const wrong = nodes.filter((node) => node.wrong).map((node) =>
    `${node.label}: ${node.places.map((place) => words[place]).join(" ")}`);
  const made = svg("svg", { role: "img", width, height: base + 8, viewBox: `0 0 ${width} ${base + 8}`,
    "aria-label": `${title}: ${wrong.join("; ") || words.join(" ")}` });
  made.append(letters(title, 4, 14, `word ${kind}`, "start"));
  words.forEach((word, i) => made.append(letters(word, x({ first: i, last: i }), base,
    chosen[i] ? "word this" : "word")));
  const labels = [];
  for (const node of nodes) {
    const look = node.wrong ? kind : "gold";
    const below = node.under.map((part) => (typeof part === "number" ?
      [x({ first: part, last: part }), base - 14] : [x(part), y(part) - 8]));
    const ends = [x(node), ...below.map(([at]) => at)];
    const across = y(node) + 12;
    const path = below.map(([at, to]) => `M${at} ${across}V${to}`).join("");
    made.append(svg("g", { class: `arc ${look}` }, svg("path", { "stroke-dasharray": LINES[look] ?? "none",
      d: `M${x(node)} ${y(node)}V${across}M${Math.min(...ends)} ${across}H${Math.max(...ends)}${path}` })));
    labels.push(...name({ ends: [x(node), x(node)], y: y(node), label: node.label, kind: look }));
  }
  made.append(...labels);
  return made;
}

// ---------------------------------------------------------------- copying

const copies = parsed("copies");

/** Older ways first fail: the clipboard needs a safe origin, which a file is not everywhere. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = html("textarea", { value: text, className: "unseen" });
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const { copy: place, form } = button.dataset;
  const done = await copy(copies[place][form]);
  const words = button.textContent;
  button.focus();
  byId("told").textContent = done ? "copied" : "the browser does not allow copying";
  if (button.dataset.busy) return;
  button.dataset.busy = "yes";
  button.textContent = done ? "copied" : "not copied";
  setTimeout(() => {
    button.textContent = words;
    delete button.dataset.busy;
    byId("told").textContent = "";
  }, 1600);
});

/** Save the figure of a button as a file, in the colours that it has without the page's style. */
document.addEventListener("click", ({ target }) => {
  if (!target.closest(".save")) return;
  const figure = target.closest("figure");
  const picture = figure.querySelector("svg").cloneNode(true);
  for (const link of picture.querySelectorAll("a")) link.replaceWith(...link.childNodes);
  picture.prepend(svg("rect", { width: "100%", height: "100%", fill: "#fff" }));
  const type = "image/svg+xml";
  const href = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(picture)], { type }));
  const title = figure.querySelector(".heading").textContent.replace(/[^\p{L}\p{N}.]+/gu, "-");
  html("a", { href, download: `${title || "figure"}.svg` }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10000);
});

// ---------------------------------------------------------------- sorting

const WAYS = { ascending: 1, descending: -1 };

/** What a cell is sorted by: its number, or its text. */
function sortValue(row, column) {
  const text = row.cells[column].innerText.trim();
  const found = row.cells[column].matches(".number") &&
    text.replaceAll(",", "").match(/[-−+]?(\d+\.?\d*|\.\d+)/);
  return found ? Number(found[0].replace("−", "-")) : row.cells[column].matches(".number") ? null : text;
}

/** Sort a table by a column: numbers from the largest, texts from the first letter, then the other
 * way, then as it was. What has no value comes last. */
function sortBy(head) {
  const body = head.closest("table").tBodies[0];
  body.original ??= [...body.rows];
  const isNumber = head.matches(".number");
  const ways = [null, ...(isNumber ? ["descending", "ascending"] : ["ascending", "descending"])];
  const way = ways[(ways.indexOf(head.getAttribute("aria-sort")) + 1) % 3];
  for (const each of head.parentNode.cells) each.removeAttribute("aria-sort");
  const rows = body.original.map((row) => [row, sortValue(row, head.cellIndex)]);
  if (way) {
    head.setAttribute("aria-sort", way);
    rows.sort(([, x], [, y]) => x === null || y === null ? (x === null) - (y === null) :
      WAYS[way] * (isNumber ? x - y : x.localeCompare(y, "en", { numeric: true })));
  }
  body.classList.toggle("sorted", way !== null);
  body.append(...rows.map(([row]) => row));
}

for (const head of document.querySelectorAll("figure thead tr:last-child th")) {
  if (head.closest("table").tBodies[0].rows.length < 2 || !head.textContent) continue;
  head.replaceChildren(html("button", { type: "button", className: "sort", title: "sort",
    onclick: () => sortBy(head) }, ...head.childNodes));
}

// ---------------------------------------------------------------- keys

function step(by) {
  const at = [...byId("list").children].indexOf(document.activeElement?.closest(".example"));
  goTo(at < 0 ? 0 : at + by);
}

const KEYS = {
  "/": () => {
    byId("filters").elements.text?.focus();
    byId("examples").scrollIntoView();
  },
  j: () => step(1),
  k: () => step(-1),
  "?": () => byId("keys").showModal(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
  if (event.target.closest("input, select, textarea")) {
    if (event.key !== "Escape") return;
    event.preventDefault(); // which would clear the field
    event.target.blur();
    return;
  }
  if (!Object.hasOwn(KEYS, event.key)) return;
  event.preventDefault();
  KEYS[event.key]();
});

byId("clear").addEventListener("click", () => change(EMPTY));
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("keys").querySelector("button").addEventListener("click", (event) => {
  event.preventDefault();
  byId("keys").close();
});

// ---------------------------------------------------------------- the beginning

document.documentElement.classList.add("live");
addEventListener("resize", clearBar);
addEventListener("hashchange", () => visit(location.hash));
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#']");
  if (!link) return;
  const fragment = link.getAttribute("href");
  if (framed) {
    event.preventDefault(); // it would load the notebook into the frame
    visit(fragment);
  } else if (new URL(fragment, location).hash === location.hash) {
    // A link to where one is already changes nothing, but one wants to be led there again.
    visit(location.hash);
  }
});
visit(framed ? "" : location.hash);

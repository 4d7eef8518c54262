// The report page's script: filters in the URL, links to checks, collapsing, and copy buttons. All data is in
// the page.

/**
 * @template {Element} T
 * @param {new () => T} kind
 * @param {string} selector
 * @param {ParentNode} [within]
 */
const all = (kind, selector, within = document) =>
  [...within.querySelectorAll(selector)].flatMap((found) => (found instanceof kind ? [found] : []));

/**
 * @template {Element} T
 * @param {new () => T} kind
 * @param {string} selector
 * @param {ParentNode} [within]
 */
function one(kind, selector, within) {
  const [found] = all(kind, selector, within);
  if (found === undefined) throw new Error(`The page has no ${selector}`);
  return found;
}

const form = one(HTMLFormElement, "form.filter");
const checks = all(HTMLDetailsElement, "details.check");
const groups = all(HTMLDetailsElement, "details.group");
const tabs = all(HTMLElement, ".tabs a");
const output = one(HTMLOutputElement, "output", form);
const nothing = one(HTMLElement, ".nothing");
const said = one(HTMLElement, "#said");
const texts = new Map(checks.map((check) => [check, check.textContent.toLowerCase()]));
const usualFolds = new Map(groups.map((group) => [group, group.open]));

function wishes() {
  /** @type {Record<string, string>} */
  const wish = {};
  for (const [name, value] of new FormData(form)) if (value !== "") wish[name] = String(value);
  return wish;
}

/**
 * True if the check matches the filter. Every word of the text filter has to occur in the check.
 * @param {HTMLDetailsElement} check
 * @param {Record<string, string>} wish
 */
const holds = (check, { status, level, part, text }) =>
  (status === undefined || check.dataset.kind === status) &&
  (level === undefined || check.dataset.level === level) &&
  (part === undefined || check.dataset.part === part) &&
  (text === undefined ||
    text
      .toLowerCase()
      .split(/\s+/)
      .every((word) => texts.get(check)?.includes(word)));

function apply() {
  const wish = wishes();
  const isFiltered = Object.keys(wish).length > 0;
  let shown = 0;
  for (const group of groups) {
    let inGroup = 0;
    for (const check of all(HTMLDetailsElement, "details.check", group)) {
      check.hidden = !holds(check, wish);
      if (!check.hidden) inGroup += 1;
    }
    group.hidden = inGroup === 0;
    group.open = isFiltered || usualFolds.get(group) === true;
    one(HTMLElement, ".amount", group).textContent = String(inGroup);
    shown += inGroup;
  }
  for (const tab of tabs) {
    if (tab.dataset.status === (wish.status ?? "")) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
  }
  nothing.hidden = shown > 0;
  output.textContent = isFiltered ? `${shown} of ${checks.length} checks` : `${checks.length} checks`;
}

const fields = ["status", "level", "part", "text"];

/** @param {string} name */
function field(name) {
  const found = form.elements.namedItem(name);
  if (found instanceof HTMLInputElement || found instanceof HTMLSelectElement) return found;
  throw new Error(`The form has no ${name}`);
}

/** Applies the URL's fragment: a filter if it contains `=`, otherwise the id of a check. */
function follow() {
  const hash = location.hash.slice(1);
  if (hash.includes("=") || hash === "") {
    const wish = new URLSearchParams(hash);
    for (const name of fields) field(name).value = wish.get(name) ?? "";
    apply();
    if (hash !== "") form.scrollIntoView();
    return;
  }
  const check = document.getElementById(decodeURIComponent(hash));
  if (!(check instanceof HTMLDetailsElement && checks.includes(check))) return;
  if (check.hidden) {
    for (const name of fields) field(name).value = "";
    apply();
  }
  for (const group of groups) if (group.contains(check)) group.open = true;
  check.open = true;
  check.scrollIntoView();
  check.focus({ preventScroll: true });
}

/** Replaces the filter in the URL, so that typing adds no history entries. */
function keep() {
  const wish = new URLSearchParams(wishes()).toString();
  history.replaceState(null, "", wish === "" ? location.pathname + location.search : `#${wish}`);
}

/** @param {HTMLElement} pre */
async function copy(pre) {
  try {
    await navigator.clipboard.writeText(pre.textContent);
    return true;
  } catch {
    getSelection()?.selectAllChildren(pre);
    return document.execCommand("copy");
  }
}

for (const pre of all(HTMLElement, "pre[data-copy]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  const of = pre.closest("details.check")?.id;
  button.setAttribute("aria-label", `Copy: ${pre.dataset.copy}${of ? `, ${of}` : ""}`);
  button.addEventListener("click", async () => {
    const copied = await copy(pre);
    said.textContent = copied ? `${pre.dataset.copy}: copied` : "It can't be copied; it is selected";
    button.textContent = copied ? "Copied" : "Selected";
  });
  button.addEventListener("blur", () => {
    button.textContent = "Copy";
  });
  pre.after(button);
}

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", () => {
  apply();
  keep();
});
form.addEventListener("reset", (event) => {
  event.preventDefault();
  for (const name of fields) field(name).value = "";
  apply();
  keep();
});
for (const button of all(HTMLElement, "[data-fold]", form)) {
  button.addEventListener("click", () => {
    const open = button.dataset.fold === "open";
    for (const check of checks) if (!check.hidden) check.open = open;
    if (open) for (const group of groups) group.open = true;
  });
}
addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof Element && event.target.closest("input, select, textarea");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field("text").focus();
});
addEventListener("hashchange", follow);
form.hidden = false;
follow();

// The search page's script, which runs after MiniSearch and `comparable`, and searches the embedded index.
{
  /** @typedef {import("minisearch").SearchResult} Found */

  const MOST = 40;
  const AROUND = 90;
  const input = /** @type {HTMLInputElement} */ (document.querySelector("#query"));
  const list = /** @type {HTMLElement} */ (document.querySelector("#found"));
  const said = /** @type {HTMLElement} */ (document.querySelector("#said"));
  const data = /** @type {HTMLElement} */ (document.querySelector("#index")).textContent ?? "";

  const index = MiniSearch.loadJSON(data, {
    fields: ["title", "text"],
    storeFields: ["title", "kind", "text"],
    processTerm: comparable,
  });

  /**
   * The text around the first match, with all matches marked.
   * @param {Found} found
   */
  function excerpt({ text, terms }) {
    const words = text.split(/(?<=\s)|(?=\s)/);
    const isFound = (/** @type {string} */ word) =>
      terms.some((term) =>
        comparable(word)
          .replace(/^[^\p{L}\p{N}]+/u, "")
          .startsWith(term),
      );
    const first = Math.max(0, words.findIndex(isFound));
    const from = Math.max(0, first - AROUND / 5);
    const paragraph = document.createElement("p");
    if (from > 0) paragraph.append("… ");
    for (const word of words.slice(from, from + AROUND)) {
      if (!isFound(word)) {
        paragraph.append(word);
        continue;
      }
      const mark = document.createElement("mark");
      mark.textContent = word;
      paragraph.append(mark);
    }
    if (words.length > from + AROUND) paragraph.append(" …");
    return paragraph;
  }

  /** @param {Found} found */
  function item(found) {
    const link = document.createElement("a");
    link.href = found.id;
    link.textContent = found.title;
    const line = document.createElement("p");
    const kind = document.createElement("span");
    kind.className = "quiet";
    kind.textContent = ` ${found.kind}`;
    line.append(link, kind);
    const entry = document.createElement("li");
    entry.append(line, excerpt(found));
    return entry;
  }

  function look() {
    const query = input.value.trim();
    /** @type {Found[]} */
    const found =
      query === ""
        ? []
        : index.search(query, { prefix: true, fuzzy: 0.15, boost: { title: 3 }, combineWith: "AND" });
    list.replaceChildren(...found.slice(0, MOST).map(item));
    const count = found.length === 1 ? "1 place" : `${found.length} places`;
    said.textContent =
      query === "" ? "" : found.length > MOST ? `${count}, the first ${MOST} of them:` : count;
  }

  input.value = new URLSearchParams(location.search).get("q") ?? "";
  input.addEventListener("input", look);
  input.form?.addEventListener("submit", (event) => event.preventDefault());
  look();
  input.focus();
}

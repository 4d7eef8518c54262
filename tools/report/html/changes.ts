import { changedIds } from "../../comparison/compare.ts";
import type { ReportContext } from "../model.ts";
import { type Content, html } from "../template.ts";

/** Changes since the last run on the same target, with links to the checks; empty if there are none. */
export function changeList({ changes }: ReportContext): Content {
  if (changes === undefined) return undefined;
  const items = changedIds(changes).map(
    ([word, ids]) =>
      html`<details><summary>${ids.length} ${word}</summary><ul>${ids.map((id) => html`<li><a href="#${id}">${id}</a></li>`)}</ul></details>`,
  );
  if (items.length === 0) return undefined;
  return html`<section aria-labelledby="changes-title"><h2 id="changes-title">Since the last run</h2>${items}</section>`;
}

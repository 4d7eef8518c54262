/** The frame of a page that is one file: it fetches nothing and runs nothing but what stands in it. */
import type { Inlined } from "./inlined.ts";
import { type Content, html } from "./template.ts";

export interface SingleFilePage {
  readonly title: string;
  readonly style: Inlined;
  readonly script?: Inlined;
  /** Where forms may lead, as a content security policy has it: nowhere, unless this is given. */
  readonly formAction?: string;
  /** The address of the icon; none is looked for without one. */
  readonly icon?: string;
  /** Where the link for those who go by the keyboard leads, with its words. */
  readonly skip: { readonly to: string; readonly words: string };
  readonly body: Content;
}

/** The page as text. What a target sent may stand in it, escaped; should an escape be missed, the browser runs none of it. */
export function renderSingleFile(page: SingleFilePage): string {
  const { style, script, formAction = "'none'", icon = "data:,", skip } = page;
  const scripts = script === undefined ? "" : ` script-src ${script.source};`;
  const policy = `default-src 'none'; style-src ${style.source};${scripts} img-src data:; base-uri 'none'; form-action ${formAction}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="color-scheme" content="light dark">
<title>${page.title}</title>
<link rel="icon" href="${icon}">
<style>${style.content}</style>
</head>
<body>
<a class="skip" href="#${skip.to}">${skip.words}</a>
${page.body}
${script === undefined ? undefined : html`<script>${script.content}</script>`}
</body>
</html>
`.text;
}

/** Renders a single-file page, which fetches nothing and runs only its own scripts. */
import type { Inlined } from "./inlined.ts";
import { type Content, html } from "./template.ts";

interface SingleFilePage {
  readonly title: string;
  readonly style: Inlined;
  readonly script?: Inlined;
  /** The directive form-action of the content security policy. Defaults to 'none'. */
  readonly formAction?: string;
  /** The URL of the icon; undefined for no icon. */
  readonly icon?: string;
  /** The target and text of the skip link for keyboard users. */
  readonly skip: { readonly to: string; readonly words: string };
  readonly body: Content;
}

/**
 * The page's HTML. Templates escape a target's text. If an escape is missing, the content security policy still blocks
 * scripts.
 */
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

import { Marked, type Tokens } from "marked";
import { html, Markup } from "../../report/template.ts";

interface Heading {
  readonly level: number;
  readonly text: string;
  readonly id: string;
}

/** A document as HTML, with its headings. */
export interface RenderedDocument {
  readonly title: string;
  readonly content: Markup;
  readonly headings: readonly Heading[];
  /** The text below each heading, for the search. */
  readonly sections: readonly { readonly heading: Heading; readonly text: string }[];
}

/** A heading's id as GitHub makes it, so that a link works on the site and on GitHub. */
const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

const plain = (markup: string): string =>
  markup
    // Inline elements, such as a link in brackets, don't separate words.
    .replaceAll(/<\/?(?:a|code|del|em|strong)\b[^>]*>/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")
    .trim();

/**
 * Renders a document of the repository. HTML in it stays text.
 * @param link resolves a link of the document from its page
 */
export function renderMarkdown(markdown: string, link: (href: string) => string): RenderedDocument {
  const headings: Heading[] = [];
  const sections: { heading: Heading; text: string }[] = [];
  const parser = new Marked({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const text = plain(this.parser.parseInline(tokens));
        const id = slug(text);
        const level = depth;
        headings.push({ level, text, id });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        return html`<a href="${link(href)}">${new Markup(this.parser.parseInline(tokens))}</a>`.text;
      },
      html({ text }: Tokens.HTML | Tokens.Tag) {
        return html`${text}`.text;
      },
      code({ text }: Tokens.Code) {
        return html`<pre tabindex="0"><code>${text}</code></pre>
`.text;
      },
    },
  });
  const tables = parser
    .parse(markdown, { async: false })
    .replaceAll("<table>", '<div class="wide" role="region" tabindex="0" aria-label="Table"><table>')
    .replaceAll("</table>", "</table></div>")
    // A column without a name gets no header.
    .replaceAll("<th></th>", "<td></td>");
  let number = 0;
  // Each region has a name of its own.
  const content = tables.replaceAll('aria-label="Table"', () => `aria-label="Table ${++number}"`);
  const parts = content.split(/(?=<h[1-6] id=")/);
  for (const [index, heading] of headings.entries()) {
    const part =
      parts.find((one) => one.startsWith(`<h${heading.level} id="${heading.id}">`)) ?? parts[index];
    sections.push({ heading, text: plain((part ?? "").replace(/^<h\d[^>]*>.*?<\/h\d>/, "")) });
  }
  return { title: headings[0]?.text ?? "", content: new Markup(content), headings, sections };
}

/** Code and data as text, with JSON syntax in colours. */
import type { ComponentChildren } from "preact";
import { Button } from "./forms.tsx";
import { act } from "./polling.ts";

interface CopyProps {
  text: string;
  words?: string;
  label?: string;
  class?: string;
}

/** @param props.words the button's text. Defaults to "Copy". `label` is the longer text for screen readers */
export const CopyButton = ({ text, words = "Copy", label = words, class: name }: CopyProps) => (
  <Button
    class={name}
    aria-label={label}
    onClick={() => void act(words.replace("Copy", "Copied"), () => navigator.clipboard.writeText(text))}
  >
    {words}
  </Button>
);

export const Code = ({ children }: { children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls only what has the focus.
  <pre tabIndex={0}>
    <code>{children}</code>
  </pre>
);

export const Headers = ({ headers }: { headers: Record<string, string> }) => (
  <Code>
    {Object.entries(headers).map(([name, value]) => [
      <span key={name} class="json-key">
        {name}
      </span>,
      `: ${value}\n`,
    ])}
  </Code>
);

/** A body, pretty-printed if it is JSON, with a button that copies the original. */
export const Body = ({ text, name }: { text: string; name: string }) => (
  <div class="body">
    <CopyButton text={text} label={`Copy ${name}`} class="copy" />
    <Code>{coloured(pretty(text))}</Code>
  </div>
);

function pretty(text: string) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const part = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;

/** The text with names, strings and values marked. */
function coloured(text: string) {
  const pieces: ComponentChildren[] = [];
  let from = 0;
  for (const { 0: all, 1: string, 2: colon, 3: word, index } of text.matchAll(part)) {
    const other = word === undefined ? "number" : "word";
    const kind = string === undefined ? other : colon ? "key" : "string";
    pieces.push(text.slice(from, index), <span class={`json-${kind}`}>{string ?? all}</span>, colon);
    from = index + all.length;
  }
  return [...pieces, text.slice(from)];
}

/** HTML's named entities for ASCII characters, in lower case. */
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  ast: "*",
  bsol: "\\",
  colon: ":",
  comma: ",",
  commat: "@",
  dollar: "$",
  equals: "=",
  excl: "!",
  grave: "`",
  gt: ">",
  hat: "^",
  lbrace: "{",
  lbrack: "[",
  lcub: "{",
  lowbar: "_",
  lpar: "(",
  lsqb: "[",
  lt: "<",
  midast: "*",
  num: "#",
  percnt: "%",
  period: ".",
  plus: "+",
  quest: "?",
  quot: '"',
  rbrace: "}",
  rbrack: "]",
  rcub: "}",
  rpar: ")",
  rsqb: "]",
  semi: ";",
  sol: "/",
  underbar: "_",
  verbar: "|",
  vert: "|",
};

const MAX_CODE_POINT = 0x10ffff;

/**
 * The character of an entity. Undefined for an unknown name, or a character outside ASCII.
 * @param name the text between `&` and `;`
 */
export function entityCharacter(name: string): string | undefined {
  if (!name.startsWith("#")) {
    const folded = name.toLowerCase();
    return Object.hasOwn(NAMED, folded) ? NAMED[folded] : undefined;
  }
  const isHex = /^#x/i.test(name);
  const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
  return code <= MAX_CODE_POINT ? String.fromCodePoint(code) : undefined;
}

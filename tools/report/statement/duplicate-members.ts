const STRUCTURE = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g;

/**
 * The first member that an object in a JSON text has twice: readers differ in which of them counts.
 * @param text is JSON
 */
export function duplicateMember(text: string): string | undefined {
  /** The names so far of each object that is open; arrays have none. */
  const open: (Set<string> | undefined)[] = [];
  let previous = "";
  for (const [token] of text.matchAll(STRUCTURE)) {
    const names = open.at(-1);
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (names && token.startsWith('"') && (previous === "{" || previous === ",")) {
      const name: unknown = JSON.parse(token);
      if (typeof name !== "string") continue;
      if (names.has(name)) return name;
      names.add(name);
    }
    previous = token;
  }
  return undefined;
}

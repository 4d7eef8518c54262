import { expect, test } from "vitest";
import { renderMarkdown } from "./markdown.ts";

test("the search's text has no spaces around inline elements, and keeps those between blocks", () => {
  const markdown =
    "# One\n\nA service ([the sandbox](sandbox.md)): `npm` and **more**.\n\n- first\n- second\n";
  const [section] = renderMarkdown(markdown, String).sections;
  expect(section?.text).toBe("A service (the sandbox): npm and more. first second");
});

/**
 * Says something in passing, to eyes and screen readers alike. It stays until the next click or key: nobody reads by a
 * clock.
 */
import { render } from "preact";
import { byId } from "../shared/page.ts";

const root = byId("said");

function show(words: string, isShown: boolean) {
  render(
    <p class={isShown ? "toast shown" : "toast"} role="status">
      {words}
    </p>,
    root,
  );
}

export const say = (words: string) => show(words, true);

show("", false);
for (const goingOn of ["pointerdown", "keydown"])
  addEventListener(goingOn, () => show(root.textContent, false));

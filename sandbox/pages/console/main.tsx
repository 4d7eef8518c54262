/** The console's frame: the views, the navigation, and redrawing after each change. */
import { render } from "preact";
import { byId } from "../shared/page.ts";
import { api, Refusal, token } from "./api.ts";
import { DeliveriesView } from "./deliveries.tsx";
import { EventsView } from "./events.tsx";
import { Button, Link } from "./forms.tsx";
import { IntegratorsView } from "./integrators.tsx";
import { keepAsking, refresh, signOut } from "./polling.ts";
import { RequestsView } from "./requests.tsx";
import { noAnswer, SignIn } from "./sign-in.tsx";
import { change, onChange, place, state } from "./state.ts";
import { WebhooksView } from "./webhooks.tsx";

const page = byId("page");
const views = {
  deliveries: ["Deliveries", DeliveriesView],
  requests: ["Requests", RequestsView],
  events: ["Events", EventsView],
  webhooks: ["Webhooks", WebhooksView],
  integrators: ["Integrators", IntegratorsView],
} as const;
const isView = (name: string): name is keyof typeof views => name in views;

/** The view in the URL. Defaults to deliveries. */
function present() {
  const { view } = place();
  return isView(view) ? view : "deliveries";
}

function draw() {
  const isSignedIn = token.get() !== null;
  document.title = `${isSignedIn ? views[present()][0] : "Sign in"} · Courier sandbox`;
  render(isSignedIn ? <Console /> : <SignIn />, page);
}

function Console() {
  const { id, second } = place();
  const [, View] = views[present()];
  return (
    <>
      <Frame />
      {state.problem && (
        <p class="problem" role="alert">
          {state.problem}
        </p>
      )}
      <View id={id} second={second} />
      <p class={state.said ? "toast shown" : "toast"} role="status">
        {state.said}
      </p>
    </>
  );
}

function Frame() {
  const { simulator } = state.overview ?? {};
  return (
    <header class="frame">
      <Link class="skip" to="main" onClick={skip}>
        Skip to content
      </Link>
      <p class="brand">
        <span class="mark" aria-hidden="true" />
        Courier sandbox
      </p>
      <nav aria-label="Console">
        {Object.entries(views).map(([name, [title]]) => (
          <Link key={name} to={`/${name}`} aria-current={name === present() ? "page" : undefined}>
            {title}
          </Link>
        ))}
      </nav>
      <span class="quiet speed">{simulator ? `Couriers ×${simulator.speed}` : ""}</span>
      <Button onClick={() => signOut()}>Sign out</Button>
    </header>
  );
}

function skip(event: Event) {
  event.preventDefault();
  const main = byId("main");
  main.tabIndex = -1;
  main.focus();
}

/** Signs in with the key of the terminal's link, and removes the key from the URL. */
async function followLink() {
  const key = /^#key=(.+)$/.exec(location.hash)?.[1];
  if (key === undefined) return;
  history.replaceState(null, "", location.pathname);
  try {
    token.keep((await api.signIn(key)).control_token);
  } catch (error) {
    const isUsed = error instanceof Refusal && error.status === 401;
    change({ refusal: isUsed ? "This link was already used: the terminal shows a new one." : noAnswer });
  }
}

onChange(draw);
addEventListener("hashchange", () => {
  const { id } = place();
  if (state.delivery?.delivery.id !== id) change({ delivery: undefined, event: undefined });
  else draw();
  if (id === undefined || matchMedia("(max-width: 52rem)").matches) scrollTo(0, 0);
  void refresh();
});
await followLink();
draw();
void keepAsking();

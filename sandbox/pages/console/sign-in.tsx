/** Signing in with the control token. */
import { api, Refusal, token } from "./api.ts";
import { Form, Input, Submit, textIn } from "./forms.tsx";
import { refresh, signOut } from "./polling.ts";
import { change, state } from "./state.ts";

export const noAnswer = "No response from the server. Is it still running?";

/** Keeps a token once the server accepts it: until then, no other request may use it. */
async function enter(given: string) {
  if (given === "") return;
  try {
    const overview = await api.overview(given);
    token.keep(given);
    change({ overview, refusal: undefined, problem: undefined });
    void refresh();
  } catch (error) {
    signOut(error instanceof Refusal ? error.message : noAnswer);
  }
}

export const SignIn = () => (
  <main class="sign-in">
    <span class="mark large" aria-hidden="true" />
    <h1>Courier sandbox</h1>
    <p class="quiet">
      The terminal that started the sandbox shows a link that signs in, and the control token.
    </p>
    <Form onEntered={(entered) => void enter(textIn(entered, "token"))}>
      <Input label="Control token" name="token" type="password" autocomplete="off" required autofocus />
      <p class="refusal" role="alert">
        {state.refusal}
      </p>
      <Submit>Sign in</Submit>
    </Form>
  </main>
);

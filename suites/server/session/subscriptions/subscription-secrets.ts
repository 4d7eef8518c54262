import type { Exchange } from "../../../core/exchange.ts";
import { segmentText } from "../../../core/http/path-segment.ts";
import { member, parseJson, textOf } from "../../../core/json.ts";
import type { OtherSecret } from "../../../core/signing/signature-recipes.ts";

interface KnownSubscription {
  readonly url: string;
  /** The signing secrets, oldest first. The last one is the current secret. */
  readonly secrets: string[];
}

/** Limits the memory. No run creates this many subscriptions. */
const MAX_SUBSCRIPTIONS = 2_000;

/** The signing secrets of all subscriptions of a run, by endpoint. */
export class SubscriptionSecrets {
  readonly #byId = new Map<string, KnownSubscription>();
  readonly #byUrl = new Map<string, KnownSubscription>();

  /** Called with every exchange of the run. */
  observe({ operation, url, requestBody, response }: Exchange): void {
    const secret = member(response?.json, "secret");
    if (typeof secret !== "string") return;
    if (operation === "createWebhook") {
      // Some checks add a query to the endpoint's URL.
      const [address = ""] = textOf(member(parseJson(requestBody ?? ""), "url")).split("?");
      if (address === "" || this.#byUrl.size >= MAX_SUBSCRIPTIONS) return;
      // An endpoint that is registered again keeps its earlier secrets here, because events may be signed with them.
      const known = { url: address, secrets: [...(this.#byUrl.get(address)?.secrets ?? []), secret] };
      this.#byId.set(textOf(member(response?.json, "id")), known);
      this.#byUrl.set(address, known);
    } else if (operation === "rotateWebhookSecret") {
      const id = url.split("/").at(-2) ?? "";
      this.#byId.get(segmentText(id))?.secrets.push(secret);
    }
  }

  /** The endpoint's current secret. Undefined if the endpoint has no subscription. */
  of(address: string): string | undefined {
    return this.#byUrl.get(address)?.secrets.at(-1);
  }

  /** All secrets except the endpoint's current secret. The endpoint's own earlier secrets come first. */
  othersThan(address: string): readonly OtherSecret[] {
    const own = this.#byUrl.get(address)?.secrets.slice(0, -1) ?? [];
    const others = [...this.#byUrl.values()].filter(({ url }) => url !== address);
    return [
      ...own.map((secret) => ({ secret, whose: "an earlier secret of the endpoint" })),
      ...others.flatMap(({ secrets }) =>
        secrets.map((secret) => ({ secret, whose: "another subscription's secret" })),
      ),
    ];
  }
}

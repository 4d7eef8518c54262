import type { Exchange } from "../../../core/exchange.ts";
import { segmentText } from "../../../core/http/path-segment.ts";
import { member, parseJson, textOf } from "../../../core/json.ts";
import type { OtherSecret } from "../../../core/signing/signature-recipes.ts";

interface KnownSecret {
  readonly secret: string;
  /** When the response with the secret arrived, as Unix time in milliseconds on this machine's clock. */
  readonly since: number;
}

interface KnownSubscription {
  readonly url: string;
  /** The signing secrets, oldest first. */
  readonly secrets: KnownSecret[];
}

/** The secret of that time: the last one that was known then, or else the first one. */
const currentAt = (secrets: readonly KnownSecret[], at: number): KnownSecret | undefined =>
  secrets.findLast(({ since }) => since <= at) ?? secrets[0];

/** `an earlier secret of the endpoint`, with its number if there are more than two. */
function ownSecretText(own: readonly KnownSecret[], known: KnownSecret, at: number): string {
  const place = own.length > 2 ? `, number ${own.indexOf(known) + 1} of ${own.length}` : "";
  return `${known.since > at ? "a later" : "an earlier"} secret of the endpoint${place}`;
}

/** Limits the memory. No run creates this many subscriptions. */
const MAX_SUBSCRIPTIONS = 2_000;

/** The signing secrets of all subscriptions of a run, by endpoint. */
export class SubscriptionSecrets {
  readonly #byId = new Map<string, KnownSubscription>();
  readonly #byUrl = new Map<string, KnownSubscription>();

  /** Called with every exchange of the run. */
  observe({ operation, url, requestBody, response, startedAt, durationMs }: Exchange): void {
    const secret = member(response?.json, "secret");
    if (typeof secret !== "string") return;
    const known = { secret, since: startedAt + durationMs };
    if (operation === "createWebhook") {
      // Some checks add a query to the endpoint's URL.
      const [address = ""] = textOf(member(parseJson(requestBody ?? ""), "url")).split("?");
      if (address === "" || this.#byUrl.size >= MAX_SUBSCRIPTIONS) return;
      // An endpoint that is registered again keeps its earlier secrets here, because events may be signed with them.
      const subscription = { url: address, secrets: [...(this.#byUrl.get(address)?.secrets ?? []), known] };
      this.#byId.set(textOf(member(response?.json, "id")), subscription);
      this.#byUrl.set(address, subscription);
    } else if (operation === "rotateWebhookSecret") {
      const id = url.split("/").at(-2) ?? "";
      this.#byId.get(segmentText(id))?.secrets.push(known);
    }
  }

  /** The endpoint's secret at that time. Undefined if the endpoint has no subscription. */
  of(address: string, at: number): string | undefined {
    return currentAt(this.#byUrl.get(address)?.secrets ?? [], at)?.secret;
  }

  /** All secrets except the endpoint's secret of that time. The endpoint's own other secrets come first. */
  othersThan(address: string, at: number): readonly OtherSecret[] {
    const own = this.#byUrl.get(address)?.secrets ?? [];
    const current = currentAt(own, at);
    const others = [...this.#byUrl.values()].filter(({ url }) => url !== address);
    return [
      ...own
        .filter((known) => known !== current)
        .map((known) => ({ secret: known.secret, whose: ownSecretText(own, known, at) })),
      ...others.flatMap(({ secrets }) =>
        secrets.map(({ secret }) => ({ secret, whose: "another subscription's secret" })),
      ),
    ];
  }
}

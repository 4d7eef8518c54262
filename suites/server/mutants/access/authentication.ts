import type { Dependencies, Identity } from "../../../../reference-server/dependencies.ts";
import { DomainError } from "../../../../reference-server/errors.ts";
import type { PrivateOperationId } from "../../../core/contract/document.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { wrongStatus } from "../operators/answers.ts";
import { aroundOperation, replaceOperation } from "../operators/operations.ts";

type TokenReply = Awaited<ReturnType<Dependencies["operations"]["obtainToken"]>>;
/** The time in which the same token is issued again. */
const REISSUE_MS = 1_000_000;

const alterHeaderParsing =
  (
    read: (
      header: string | undefined,
      original: Dependencies["tokens"]["read"],
    ) => ReturnType<Dependencies["tokens"]["read"]>,
  ): Mutate =>
  (deps) => ({
    ...deps,
    tokens: { ...deps.tokens, read: (header) => read(header, deps.tokens.read) },
  });

export const alterTokenRefusal =
  (refusal: (original: Dependencies["tokens"]["refusal"]) => Dependencies["tokens"]["refusal"]): Mutate =>
  (deps) => ({ ...deps, tokens: { ...deps.tokens, refusal: refusal(deps.tokens.refusal) } });

const MAX_USES = 20;
const HALF_A_TOKEN = 20;

/** Operations that require a token, except for photos, which have their own check. */
export const TOKEN_OPERATIONS = elementsOf("operations-that-need-a-token");

type Refusal = Extract<Identity, { refusal: unknown }>["refusal"];

/** Instead of the refusal, executes the operation as the last client with a valid token. */
const ignoreRefusalAt =
  (operation: PrivateOperationId, refusal: Refusal): Mutate =>
  (deps) => {
    let last: Exclude<Identity, { refusal: unknown }> | undefined;
    return {
      ...deps,
      bucketOf(counted) {
        const { identity, operationId } = counted;
        if (!("refusal" in identity)) last = { ...identity };
        else if (identity.refusal === refusal && operationId === operation && last) {
          Reflect.deleteProperty(Object.assign(identity, last), "refusal");
        }
        return deps.bucketOf(counted);
      },
    };
  };

/** Without a token, executes the operation as the last client with a valid token, and then refuses the request. */
const executeBefore401 =
  (operation: PrivateOperationId): Mutate =>
  (deps) => {
    let isAnonymous = false;
    const openedDeps = ignoreRefusalAt(operation, "KIMLIK_YOK")(deps);
    return aroundOperation(operation, async (_, original) => {
      const reply = await original();
      if (isAnonymous) throw new DomainError("KIMLIK_YOK");
      return reply;
    })({
      ...openedDeps,
      bucketOf(counted) {
        isAnonymous = "refusal" in counted.identity;
        return openedDeps.bucketOf(counted);
      },
    });
  };

const acceptAnyCredentialAt =
  (operation: PrivateOperationId): Mutate =>
  (deps) => ({
    ...deps,
    bucketOf(counted) {
      const { identity, operationId } = counted;
      if (!("refusal" in identity) && operationId === operation) {
        identity.integrator = { ...identity.integrator, kind: "integrator" };
      }
      return deps.bucketOf(counted);
    },
  });

const refuseUnknownEverywhere: Mutate = (deps) => ({
  ...deps,
  records: {
    ...deps.records,
    tokens: {
      ...deps.records.tokens,
      async find(...query) {
        const holder = await deps.records.tokens.find(...query);
        if (holder === undefined) throw new DomainError("GECERSIZ");
        return holder;
      },
    },
  },
});

/** Takes a token for an earlier one that begins with the same characters. */
const compareBeginnings =
  (length: number): Mutate =>
  (deps) => {
    const known = new Map<string, string>();
    return alterHeaderParsing((header, original) => {
      const read = original(header);
      if ("refusal" in read) return read;
      const beginning = read.token.slice(0, length);
      const token = known.get(beginning) ?? read.token;
      known.set(beginning, token);
      return { token };
    })(deps);
  };

export const authenticationMutants: Mutants = {
  "unknown-token-refused-everywhere": {
    fault: "an unknown token is also refused at endpoints that need none",
    breaks: [{ clause: "AUTH-22" }],
    mutate: refuseUnknownEverywhere,
  },
  ...forEachElement(
    TOKEN_OPERATIONS,
    (id) => `${id}-without-token`,
    (id) => ({
      fault: `${id} succeeds without a token`,
      breaks: breaking(id, "AUTH-6", "AUTH-11"),
      mutate: ignoreRefusalAt(id, "KIMLIK_YOK"),
    }),
  ),
  ...forEachElement(
    TOKEN_OPERATIONS,
    (id) => `${id}-with-any-token`,
    (id) => ({
      fault: `${id} succeeds with any token`,
      breaks: breaking(id, "AUTH-7", "AUTH-15"),
      caughtBy: ["authentication.without-token"],
      mutate: ignoreRefusalAt(id, "GECERSIZ"),
    }),
  ),
  ...forEachElement(
    TOKEN_OPERATIONS,
    (id) => `${id}-with-closed-credentials`,
    (id) => ({
      fault: `${id} succeeds with a closed credential`,
      breaks: breaking(id, "AUTH-17"),
      mutate: ignoreRefusalAt(id, "OTURUM_GECERSIZ"),
    }),
  ),
  ...forEachElement(
    TOKEN_OPERATIONS,
    (id) => `${id}-with-an-expired-token`,
    (id) => ({
      fault: `${id} succeeds with an expired token`,
      breaks: breaking(id, "AUTH-2", "AUTH-13"),
      mutate: ignoreRefusalAt(id, "SURESI_DOLDU"),
    }),
  ),
  "photo-with-any-token": {
    fault: "getProof succeeds with any token",
    breaks: [{ clause: "PROOF-11" }],
    caughtBy: ["proofs.need-a-token"],
    mutate: ignoreRefusalAt("getProof", "GECERSIZ"),
  },
  "closed-credential-loads-photos": {
    fault: "getProof succeeds with a closed credential",
    breaks: [{ clause: "PROOF-11" }],
    caughtBy: ["proofs.not-with-a-closed-credential"],
    mutate: ignoreRefusalAt("getProof", "OTURUM_GECERSIZ"),
  },
  "getProof-with-an-expired-token": {
    fault: "getProof succeeds with an expired token",
    breaks: [{ clause: "PROOF-16" }],
    mutate: ignoreRefusalAt("getProof", "SURESI_DOLDU"),
  },
  ...forEachElement(
    TOKEN_OPERATIONS,
    (id) => `${id}-for-other-credentials`,
    (id) => ({
      fault: `${id} succeeds with a credential that isn't an integrator's`,
      breaks: breaking(id, "AUTH-20", "ERR-15"),
      mutate: acceptAnyCredentialAt(id),
    }),
  ),
  "missing-token-answers-403": {
    fault: "a request without a token returns 403",
    breaks: [{ clause: "AUTH-6" }, { clause: "AUTH-11" }, { clause: "ERR-14" }],
    ...wrongStatus("KIMLIK_YOK", 403),
  },
  ...forEachElement(
    elementsOf("operations-that-change"),
    (id) => `${id}-done-before-401`,
    (id) => ({
      fault: `${id} without a token returns 401, but is carried out`,
      breaks: breaking(id, "AUTH-7"),
      mutate: executeBefore401(id),
    }),
  ),
  "missing-token-reported-as-malformed": {
    fault: "a missing token returns GECERSIZ",
    breaks: [{ clause: "AUTH-12" }],
    mutate: alterHeaderParsing((header, original) => {
      const read = original(header);
      return "refusal" in read ? { refusal: "GECERSIZ" } : read;
    }),
  },
  "token-compared-by-its-first-half": {
    fault: "only the first half of a token is compared",
    breaks: breaking(
      ["a token with one character changed", "a token with a late character changed", "half a token"],
      "AUTH-15",
    ),
    caughtBy: ["authentication.malformed-token"],
    mutate: compareBeginnings(HALF_A_TOKEN),
  },
  "token-compared-by-its-first-30-characters": {
    fault: "only the beginning of a token is compared",
    breaks: [{ clause: "AUTH-15", case: "a token with a late character changed" }],
    caughtBy: ["authentication.malformed-token"],
    mutate: compareBeginnings(30),
  },
  "token-read-up-to-an-invalid-character": {
    fault: "a token is accepted with invalid characters after it",
    breaks: [{ clause: "AUTH-15", case: "a token with an additional character" }],
    caughtBy: ["authentication.malformed-token"],
    mutate: alterHeaderParsing((header, original) =>
      original(/^Bearer +[\w.~+/-]+=*/i.exec(header ?? "")?.[0]),
    ),
  },
  "token-of-any-scheme": {
    fault: "a token is accepted under any authorization scheme",
    breaks: [{ clause: "AUTH-15", case: "a valid token with another scheme" }],
    caughtBy: ["authentication.malformed-token"],
    mutate: alterHeaderParsing((header, original) => original(header?.replace(/^\S+ /, "Bearer "))),
  },
  "unknown-token-answers-400": {
    fault: "an unknown token returns 400",
    breaks: [{ clause: "AUTH-15" }, { clause: "ERR-14", case: "listPaymentTypes" }],
    caughtBy: ["authentication.malformed-token", "passive.codes-of-401"],
    ...wrongStatus("GECERSIZ", 400),
  },
  "unknown-token-reported-as-missing": {
    fault: "an unknown token returns KIMLIK_YOK",
    breaks: [{ clause: "AUTH-16" }],
    mutate: (deps) => ({
      ...deps,
      views: {
        ...deps.views,
        failure: (failure) =>
          deps.views.failure(failure.code === "GECERSIZ" ? { ...failure, code: "KIMLIK_YOK" } : failure),
      },
    }),
  },
  "token-limited-to-a-number-of-uses": {
    fault: "a token works only for a limited number of requests",
    breaks: [{ clause: "AUTH-4" }],
    caughtBy: ["authentication.any-number-of-uses"],
    mutate: alterTokenRefusal((original) => {
      const uses = new Map<string, number>();
      return (holder, now) => {
        const key = `${holder.integrator.id} ${holder.expires_at}`;
        const used = (uses.get(key) ?? 0) + 1;
        uses.set(key, used);
        return used > MAX_USES ? "GECERSIZ" : original(holder, now);
      };
    }),
  },
  "token-refused-now-and-then": {
    fault: "every second read of a delivery refuses a valid token",
    breaks: [{ clause: "AUTH-4", case: "getDelivery" }],
    caughtBy: ["passive.valid-tokens"],
    mutate: (deps) => {
      let readings = 0;
      return aroundOperation("getDelivery", async (_, original) => {
        readings += 1;
        if (readings % 2 === 0) throw new DomainError("GECERSIZ");
        return original();
      })(deps);
    },
  },
  "new-token-ends-older-ones": {
    fault: "a new token invalidates the integrator's earlier ones",
    breaks: [{ clause: "AUTH-5" }],
    mutate: (deps) => ({
      ...deps,
      records: {
        ...deps.records,
        tokens: {
          ...deps.records.tokens,
          async insert(db, row, now) {
            await db.deleteFrom("tokens").where("integrator_id", "=", row.integrator_id).execute();
            await deps.records.tokens.insert(db, row, now);
          },
        },
      },
    }),
  },
  "token-handed-out-again-as-new": {
    fault: "an existing token is issued again with expires_in 1800",
    breaks: [{ clause: "AUTH-1" }],
    mutate: (deps) => {
      const issuedReplies = new Map<string, { readonly reply: TokenReply; readonly at: number }>();
      return replaceOperation("obtainToken", async (call, original) => {
        const { database, records, clock } = call.deps;
        const { client_id } = call.body;
        const integrator = await records.integrators.findByClientId(database, client_id);
        const now = integrator ? clock.timeOf(integrator, clock.now()) : clock.now();
        const earlier = issuedReplies.get(client_id);
        if (earlier && now - earlier.at < REISSUE_MS) return earlier.reply;
        const reply = await original(call);
        issuedReplies.set(client_id, { reply, at: now });
        return reply;
      })(deps);
    },
  },
};

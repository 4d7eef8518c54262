import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import { DomainError, type ErrorCode } from "../../../../reference-server/errors.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { wrongStatus } from "../operators/answers.ts";
import { compose } from "../operators/compose.ts";
import { alterOperation } from "../operators/documents.ts";
import { replaceOperation } from "../operators/operations.ts";
import { alterTokenRefusal, TOKEN_OPERATIONS } from "./authentication.ts";

const replaceCode = (code: ErrorCode, other: ErrorCode): Mutate =>
  alterTokenRefusal((original) => (holder, now) => {
    const found = original(holder, now);
    return found === code ? other : found;
  });

type Holder = Parameters<Dependencies["tokens"]["refusal"]>[0];

const refuseExpiredEverywhere: Mutate = (deps) => ({
  ...deps,
  tokens: {
    ...deps.tokens,
    refusal(holder, now) {
      const code = deps.tokens.refusal(holder, now);
      if (code !== undefined) throw new DomainError(code);
      return code;
    },
  },
});

export const credentialMutants: Mutants = {
  "expired-token-refused-everywhere": {
    fault: "an expired token is also refused at endpoints that need none",
    breaks: [{ clause: "AUTH-23" }],
    mutate: refuseExpiredEverywhere,
  },
  "token-ends-15-seconds-early": {
    fault: "a token expires before 30 minutes",
    breaks: [{ clause: "AUTH-1" }],
    mutate: alterTokenRefusal((original) => (holder, now) => original(holder, now + 15_000)),
  },
  "token-ends-130-seconds-late": {
    fault: "a token expires later than after 30 minutes, or each use prolongs it",
    breaks: breaking(TOKEN_OPERATIONS, "AUTH-2", "AUTH-13"),
    mutate: alterTokenRefusal((original) => (holder, now) => original(holder, now - 130_000)),
  },
  "expired-token-answers-403": {
    fault: "an expired token returns 403",
    breaks: [{ clause: "AUTH-2" }, { clause: "AUTH-13" }],
    mutate: replaceCode("SURESI_DOLDU", "YETKI_YOK"),
  },
  "expired-token-may-change": {
    fault: "changes succeed with expired tokens of the delivery's integrator",
    breaks: [
      { clause: "AUTH-2", case: "updateDelivery" },
      { clause: "AUTH-13", case: "updateDelivery" },
    ],
    mutate: compose(
      alterOperation("/v1/deliveries/{id}", "patch", (operation) => {
        operation.security = [];
      }),
      (deps) => {
        const holders = new Map<string, Holder>();
        const identified: Mutate = replaceOperation("updateDelivery", async (call, original) => {
          const { database, records, clock } = call.deps;
          const delivery = await records.deliveries.findById(database, call.path.id);
          const holder = delivery && holders.get(delivery.integrator_id);
          if (holder === undefined) throw new DomainError("KIMLIK_YOK");
          const integrator = await records.integrators.findById(database, holder.integrator.id);
          if (integrator === undefined) throw new DomainError("KIMLIK_YOK");
          return original({ ...call, integrator, now: clock.timeOf(integrator, clock.now()) });
        });
        return alterTokenRefusal((original) => (holder, now) => {
          holders.set(holder.integrator.id, holder);
          return original(holder, now);
        })(identified(deps));
      },
    ),
  },
  "expired-token-reported-as-malformed": {
    fault: "an expired token returns GECERSIZ",
    breaks: [{ clause: "AUTH-14" }],
    mutate: replaceCode("SURESI_DOLDU", "GECERSIZ"),
  },
  "closed-credential-still-works": {
    fault: "the tokens of a closed credential work until they expire",
    breaks: [{ clause: "AUTH-17" }],
    mutate: alterTokenRefusal(
      (original) => (holder, now) =>
        original({ ...holder, integrator: { ...holder.integrator, closed_at: null } }, now),
    ),
  },
  "closed-credential-ends-only-the-newest-token": {
    fault: "older tokens of a closed credential work until they expire",
    breaks: [{ clause: "AUTH-17", case: "an older one" }],
    mutate(deps) {
      const newest = new Map<string, string>();
      const { tokens } = deps.records;
      const withNewest: typeof tokens = {
        ...tokens,
        async insert(db, row, now) {
          newest.set(row.integrator_id, row.hash);
          await tokens.insert(db, row, now);
        },
        async find(db, hash) {
          const holder = await tokens.find(db, hash);
          return holder && newest.get(holder.integrator.id) !== hash
            ? { ...holder, integrator: { ...holder.integrator, closed_at: null } }
            : holder;
        },
      };
      return { ...deps, records: { ...deps.records, tokens: withNewest } };
    },
  },
  "closed-credential-reported-as-malformed": {
    fault: "a closed credential's token returns GECERSIZ",
    breaks: [{ clause: "AUTH-18" }],
    mutate: replaceCode("OTURUM_GECERSIZ", "GECERSIZ"),
  },
  "closed-credential-gets-a-token": {
    fault: "a closed credential gets new tokens",
    breaks: [{ clause: "AUTH-19" }],
    mutate: (deps) => ({
      ...deps,
      records: {
        ...deps.records,
        integrators: {
          ...deps.records.integrators,
          async findByClientId(db, clientId) {
            const found = await deps.records.integrators.findByClientId(db, clientId);
            return found && { ...found, closed_at: null };
          },
        },
      },
    }),
  },
  "other-credential-accepted": {
    fault: "a credential that isn't an integrator's is accepted",
    breaks: breaking(TOKEN_OPERATIONS, "AUTH-20", "ERR-15"),
    mutate: (deps) => ({
      ...deps,
      records: {
        ...deps.records,
        tokens: {
          ...deps.records.tokens,
          async find(db, hash) {
            const holder = await deps.records.tokens.find(db, hash);
            return holder && { ...holder, integrator: { ...holder.integrator, kind: "integrator" } };
          },
        },
      },
    }),
  },
  "other-credential-answers-401": {
    fault: "a credential that isn't an integrator's gets 401",
    breaks: [{ clause: "AUTH-20" }, { clause: "ERR-15" }],
    ...wrongStatus("YETKI_YOK", 401),
  },
};

import { expect, test } from "vitest";
import { createDelivery, linkStore, openAccount } from "../testing/accounts.ts";
import { withStandingClock } from "../testing/clocks.ts";
import { onEachDatabase } from "../testing/databases.ts";

onEachDatabase((database) => {
  test("all changes made at the same time are listed, for any page size", async () => {
    const frozen = await database.start({ mutate: withStandingClock });
    const account = await openAccount(frozen);
    await linkStore(account);
    const refs = ["T-0", "T-1", "T-2", "T-3", "T-4", "T-5", "T-6"];
    for (const ref of refs) await createDelivery(account, ref).expect(201);
    const seen: unknown[] = [];
    let since = "";
    for (let more = true; more; ) {
      const { body: page } = await account.api.get(`/v1/deliveries?limit=2${since}`).expect(200);
      for (const item of page.items) seen.push(item.external_ref);
      since = `&since=${page.next_cursor}`;
      more = page.has_more;
    }
    await frozen.close();
    expect(seen).toEqual(refs);
  });
});

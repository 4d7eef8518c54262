import { expect, test } from "vitest";
import { Gate } from "./exclusive-lock.ts";

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

test("nobody works while another works alone, and those beside each other do", async () => {
  const gate = new Gate();
  let [beside, alone, most] = [0, 0, 0];
  const broken: string[] = [];
  const share = async () => {
    beside += 1;
    most = Math.max(most, beside);
    broken.push(...(alone > 0 ? ["beside one who is alone"] : []));
    await turns(3);
    beside -= 1;
  };
  const lone = async () => {
    alone += 1;
    broken.push(...(alone > 1 || beside > 0 ? ["alone beside others"] : []));
    await turns(2);
    alone -= 1;
  };
  await Promise.all(
    Array.from({ length: 40 }, (_, i) => (i % 4 === 3 ? gate.alone(lone) : gate.shared(share))),
  );
  expect(broken).toEqual([]);
  expect(most).toBeGreaterThan(1);
});

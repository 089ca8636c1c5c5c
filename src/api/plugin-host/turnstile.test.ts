import { expect, test } from "bun:test";
import { createTurnstile } from "./host-functions/host-function.ts";

test("never lets more through than its limit, in the order in which they came, and continues after failures", async () => {
  const turn = createTurnstile(2);
  const begun: number[] = [];
  let inside = 0;
  let most = 0;
  const pass = (number: number) =>
    turn(async () => {
      begun.push(number);
      inside += 1;
      most = Math.max(most, inside);
      await Promise.resolve();
      inside -= 1;
      if (number % 3 === 0) throw new Error("failed");
    });
  const rounds = async (from: number) => {
    await Promise.allSettled(Array.from({ length: 10 }, (_, index) => pass(from + index)));
  };
  await rounds(0);
  await rounds(10);
  expect(most).toBe(2);
  expect(begun).toEqual(Array.from({ length: 20 }, (_, index) => index));
});

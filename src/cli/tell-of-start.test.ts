import { expect, test } from "bun:test";
import { describeError } from "#api/core/describe-error.ts";
import { within } from "#api/core/timing.ts";
import { tellOfStart } from "./opening.ts";

test("a start that takes long says again and again what it waits for, until it is over", async () => {
  const told: unknown[] = [];
  let step = "opening the database";
  const end = tellOfStart({ info: (message, fields) => told.push([message, fields]) }, () => step, 20);
  while (told.length < 2) await Bun.sleep(5);
  expect(told[0]).toEqual(["still starting", { step, seconds: 0 }]);
  step = "loading the server";
  const before = told.length;
  while (told.length === before) await Bun.sleep(5);
  expect(told.at(-1)).toEqual(["still starting", { step, seconds: expect.any(Number) }]);
  end();
  const count = told.length;
  let later = 0;
  const endOther = tellOfStart({ info: () => (later += 1) }, () => step, 20);
  while (later < 3) await Bun.sleep(5);
  endOther();
  expect(told).toHaveLength(count);
});

test("what comes too late on a busy machine is logged without a stack trace", async () => {
  const late = await within(1, Bun.sleep(1_000)).catch(describeError);
  expect(late).toEqual({ name: "Error", message: "no answer within 1 ms" });
});

import { describe, expect, test } from "bun:test";
import type { AttemptBudget } from "#api/core/context.ts";
import { networkOf } from "#api/core/network-of.ts";
import { createTestClock } from "#api/testing/clock.ts";
import { createAttemptGuard } from "./attempt-guard.ts";

const budget = (key: string, most: number): AttemptBudget => ({
  key,
  most,
  windowMs: 1_000,
  message: () => "enough",
});
const fail = async () => {
  throw new Error("wrong");
};
const kindOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "done",
    (error: unknown) => Reflect.get(Object(error), "kind") ?? "failed",
  );

describe("a budget of failures", () => {
  test("slides: each failure leaves it when its own time is over", async () => {
    const clock = createTestClock();
    const guard = createAttemptGuard({ clock });
    const attempt = () => kindOf(guard.run([budget("a", 2)], fail, () => true));
    expect(await attempt()).toBe("failed");
    clock.advance(600);
    expect(await attempt()).toBe("failed");
    expect(await attempt()).toBe("RATE_LIMITED");
    clock.advance(500);
    expect(await attempt()).toBe("failed");
    expect(await attempt()).toBe("RATE_LIMITED");
  });

  test("is not used up by what succeeds or fails for another reason", async () => {
    const guard = createAttemptGuard({ clock: createTestClock() });
    for (let n = 0; n < 5; n += 1) {
      expect(
        await kindOf(
          guard.run(
            [budget("a", 1)],
            async () => {},
            () => true,
          ),
        ),
      ).toBe("done");
      expect(await kindOf(guard.run([budget("a", 1)], fail, () => false))).toBe("failed");
    }
  });

  test("is remembered for the keys in use when others are forgotten", async () => {
    const guard = createAttemptGuard({ clock: createTestClock(), mostKeys: 10 });
    const attempt = (key: string) => kindOf(guard.run([budget(key, 1)], fail, () => true));
    await attempt("victim");
    for (let n = 0; n < 100; n += 1) {
      await attempt(`other-${n}`);
      expect(await attempt("victim")).toBe("RATE_LIMITED");
    }
    expect(await attempt("other-0")).toBe("failed");
  });
});

test("one caller is an IPv4 address or an IPv6 /64", () => {
  expect(networkOf("203.0.113.9")).toBe("203.0.113.9");
  expect(networkOf("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
  expect(networkOf("2001:db8::1")).toBe("2001:db8:0:0::/64");
  expect(networkOf("::1")).toBe("0:0:0:0::/64");
});

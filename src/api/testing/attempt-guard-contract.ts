import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { AttemptBudget, AttemptGuard } from "#api/core/context.ts";

/** A guard, and a way to let its time pass. */
export type GuardStage = {
  guard: AttemptGuard;
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
};

/** A budget of failures in a minute; each test takes keys that no one else has. */
export const budgetOf = (key: string, most: number, windowMs = 60_000): AttemptBudget => ({
  key,
  most,
  windowMs,
  message: (waitS) => `again in ${waitS} s`,
});

/** What an attempt ends with: `done`, `failed`, or the kind of the refusal. */
export const kindOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: unknown) => String(Reflect.get(Object(error), "kind") ?? "failed"),
  );

/** An attempt that goes wrong. */
export const failIn = (guard: AttemptGuard, ...budgets: AttemptBudget[]): Promise<string> =>
  kindOf(
    guard.run(
      budgets,
      async () => {
        throw new Error("wrong");
      },
      () => true,
    ),
  );

/** An attempt that goes well. */
export const succeedIn = (guard: AttemptGuard, ...budgets: AttemptBudget[]): Promise<string> =>
  kindOf(
    guard.run(
      budgets,
      async () => {},
      () => true,
    ),
  );

/** Does the same `count` times at once. */
export const inParallel = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** Tests of what every guard promises, whatever it keeps its counts in. */
export const testAttemptGuard = (name: string, open: () => Promise<GuardStage>): void => {
  describe(name, () => {
    let stage: GuardStage;
    let keys = 0;
    beforeAll(async () => {
      stage = await open();
    });
    afterAll(() => stage.close());
    const newBudget = (most: number): AttemptBudget => {
      keys += 1;
      return budgetOf(`key ${keys}`, most);
    };

    test("lets each failure go when its own time is over", async () => {
      const budget = newBudget(2);
      expect(await failIn(stage.guard, budget)).toBe("failed");
      await stage.pass(30_000);
      expect(await failIn(stage.guard, budget)).toBe("failed");
      expect(await failIn(stage.guard, budget)).toBe("RATE_LIMITED");
      await stage.pass(25_000);
      expect(await failIn(stage.guard, budget)).toBe("RATE_LIMITED");
      await stage.pass(5_000);
      expect(await failIn(stage.guard, budget)).toBe("failed");
      expect(await failIn(stage.guard, budget)).toBe("RATE_LIMITED");
    });

    test("counts neither what succeeds nor what fails for another reason", async () => {
      const budget = newBudget(1);
      const fall = async () => {
        throw new Error("the database is away");
      };
      for (let n = 0; n < 5; n += 1) {
        expect(await succeedIn(stage.guard, budget)).toBe("done");
        expect(await kindOf(stage.guard.run([budget], fall, () => false))).toBe("failed");
      }
      expect(await failIn(stage.guard, budget)).toBe("failed");
    });

    test("says how long the longest of the full budgets stays full", async () => {
      const [soon, late] = [newBudget(1), { ...newBudget(1), windowMs: 600_000 }];
      await failIn(stage.guard, soon);
      await failIn(stage.guard, late);
      await stage.pass(10_000);
      const refusal = await stage.guard.spend([soon, late]).catch((error: unknown) => error);
      expect(refusal).toMatchObject({
        kind: "RATE_LIMITED",
        message: "again in 590 s",
        retryAfterS: 590,
      });
    });

    test("of a hundred parallel attempts no more fail than the budget allows", async () => {
      const [narrow, wide] = [newBudget(20), newBudget(1_000)];
      const outcomes = await inParallel(100, () => failIn(stage.guard, wide, narrow));
      expect(outcomes.filter((outcome) => outcome === "failed")).toHaveLength(20);
      expect(outcomes).not.toContain("done");
      expect(await failIn(stage.guard, narrow)).toBe("RATE_LIMITED");
    });

    test("lets attempts that are right wait for each other instead of refusing them", async () => {
      const budget = newBudget(10);
      const outcomes = await inParallel(50, () => succeedIn(stage.guard, budget));
      expect(new Set(outcomes)).toEqual(new Set(["done"]));
    });

    test("refuses what waits as soon as the others have failed", async () => {
      const budget = newBudget(1);
      const { promise, reject } = Promise.withResolvers<void>();
      // It may be rejected before the attempt has got as far as waiting for it.
      promise.catch(() => {});
      const first = kindOf(
        stage.guard.run(
          [budget],
          () => promise,
          () => true,
        ),
      );
      const second = succeedIn(stage.guard, budget);
      reject(new Error("wrong"));
      expect(await Promise.all([first, second])).toEqual(["failed", "RATE_LIMITED"]);
    });

    test("takes no place in any budget when one of them refuses", async () => {
      const [full, free] = [newBudget(1), newBudget(2)];
      await failIn(stage.guard, full);
      for (let n = 0; n < 5; n += 1) {
        expect(await failIn(stage.guard, free, full)).toBe("RATE_LIMITED");
        expect(await kindOf(stage.guard.spend([free, full]))).toBe("RATE_LIMITED");
      }
      expect(await failIn(stage.guard, free)).toBe("failed");
      expect(await failIn(stage.guard, free)).toBe("failed");
      expect(await failIn(stage.guard, free)).toBe("RATE_LIMITED");
    });

    test("spends a budget exactly, however many simultaneous calls there are", async () => {
      const [narrow, wide] = [newBudget(7), newBudget(8)];
      const outcomes = await inParallel(100, () => kindOf(stage.guard.spend([wide, narrow])));
      expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(7);
      expect(outcomes.filter((outcome) => outcome === "RATE_LIMITED")).toHaveLength(93);
      expect(await kindOf(stage.guard.spend([wide]))).toBe("done");
      expect(await kindOf(stage.guard.spend([wide]))).toBe("RATE_LIMITED");
      await stage.pass(60_000);
      expect(await kindOf(stage.guard.spend([wide, narrow]))).toBe("done");
    });

    test("forgets what it is told to, and nothing else", async () => {
      const [cleared, kept] = [newBudget(1), newBudget(1)];
      await failIn(stage.guard, cleared, kept);
      await stage.guard.clear([cleared.key, "never heard of"]);
      await stage.guard.clear([]);
      expect(await failIn(stage.guard, kept)).toBe("RATE_LIMITED");
      expect(await failIn(stage.guard, cleared)).toBe("failed");
      expect(await failIn(stage.guard, cleared)).toBe("RATE_LIMITED");
    });

    test("counts an attempt that was under way while its key was cleared", async () => {
      const budget = newBudget(2);
      const { promise, reject } = Promise.withResolvers<void>();
      await failIn(stage.guard, budget);
      const begun = Promise.withResolvers<void>();
      const underWay = kindOf(
        stage.guard.run(
          [budget],
          () => {
            begun.resolve();
            return promise;
          },
          () => true,
        ),
      );
      await begun.promise;
      await stage.guard.clear([budget.key]);
      reject(new Error("wrong"));
      expect(await underWay).toBe("failed");
      expect(await failIn(stage.guard, budget)).toBe("failed");
      expect(await failIn(stage.guard, budget)).toBe("RATE_LIMITED");
    });

    test("keeps keys apart that look alike", async () => {
      const { key } = newBudget(1);
      const alike = [key, `${key} `, `${key}:held`, key.toUpperCase(), `${key}\0`, `${key}\u0301`, `:${key}`];
      for (const other of alike) expect(await failIn(stage.guard, budgetOf(other, 1))).toBe("failed");
      for (const other of alike) expect(await failIn(stage.guard, budgetOf(other, 1))).toBe("RATE_LIMITED");
    });
  });
};

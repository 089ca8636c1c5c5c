import { describe, expect, test } from "bun:test";
import { budgetOf, failIn, kindOf, succeedIn } from "#api/testing/attempt-guard-contract.ts";
import { endAfterEachTest } from "#api/testing/for-each-test.ts";
import { until } from "#api/testing/until.ts";
import { openGuard } from "./guards.ts";
import { startRedis } from "./redis.ts";

const endings = endAfterEachTest();

const newServer = async () => {
  const server = await startRedis();
  endings.push(server.stop);
  return server;
};

const newGuard = async (redisUrl: string) => {
  const { guard, isUp, close } = openGuard(redisUrl);
  endings.push(close);
  await isUp();
  return guard;
};

describe("W2: a client that can write to Redis", () => {
  test("gets no more attempts by emptying it than each process counts itself", async () => {
    const server = await newServer();
    const guard = await newGuard(server.url());
    const [account, place] = [budgetOf("ada", 10), budgetOf("203.0.113.9", 25)];
    const outcomes: string[] = [];
    for (let n = 0; n < 20; n += 1) {
      outcomes.push(await failIn(guard, account, place));
      await server.tell("flushall");
    }
    expect(outcomes.filter((outcome) => outcome === "failed")).toHaveLength(10);
    for (let n = 0; n < 20; n += 1) {
      outcomes.push(await failIn(guard, budgetOf(`account ${n}`, 10), place));
      await server.tell("flushall");
    }
    expect(outcomes.filter((outcome) => outcome === "failed")).toHaveLength(25);
    expect(await kindOf(guard.spend([place]))).toBe("RATE_LIMITED");
    expect(await succeedIn(guard, budgetOf("someone else", 10))).toBe("done");
  });

  test("cannot reset failures, with a made-up mark, one of another key or an old one", async () => {
    const server = await newServer();
    const [guessed, forgiving] = [await newGuard(server.url()), await newGuard(server.url())];
    const marks = async () => (await server.tell("keys", "atrium:attempts:*:forgiven").then(asTexts)).sort();
    const read = (name: string) => server.tell("zrange", name, "0", "-1").then(asTexts);
    const now = async () => {
      const [seconds, micros] = asTexts(await server.tell("time"));
      return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
    };

    // An old one of the very key, which then fails again.
    await forgiving.clear(["ada"]);
    const [name = ""] = await marks();
    const [old = ""] = await read(name);
    const before = await now();
    await until(async () => (await now()) > before);
    expect(await failIn(guessed, budgetOf("ada", 1))).toBe("failed");
    await forgiving.clear(["mallory"]);
    const [others = ""] = await read((await marks()).find((mark) => mark !== name) ?? "");
    const madeUp = `${Date.now()} ${"0".repeat(64)}`;
    const moved = old.replace(/^\d+/, String(Date.now()));
    for (const mark of [old, others, madeUp, moved]) {
      await server.tell("flushall");
      await server.tell("zadd", name, "0", mark);
      expect(await failIn(guessed, budgetOf("ada", 1))).toBe("RATE_LIMITED");
    }
    // What the installation itself says holds.
    await forgiving.clear(["ada"]);
    expect(await succeedIn(guessed, budgetOf("ada", 1))).toBe("done");
  });
});

const asTexts = (answer: unknown): string[] => (Array.isArray(answer) ? answer.map(String) : []);

import { describe, expect, test } from "bun:test";
import { budgetOf, failIn, inParallel, kindOf, succeedIn } from "#api/testing/attempt-guard-contract.ts";
import { type FaultProxy, startFaultProxy } from "#api/testing/fault-proxy.ts";
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

/** A guard as one process has it, with what it logs. */
const newGuard = (redisUrl: string) => {
  const opened = openGuard(redisUrl);
  endings.push(opened.close);
  return opened;
};

/** Resolves when someone has tried twice more to connect, and so was refused once at least. */
const triedAgain = (proxy: FaultProxy): Promise<number> => {
  const before = proxy.taken;
  return until(() => proxy.taken >= before + 2);
};

/** What `work` resolves to. Fails when it takes longer than a fault of Redis may cost, on a machine that is not late itself. */
const inTime = async <T>(work: () => Promise<T>): Promise<T> => {
  const startedAt = performance.now();
  const msSince = () => performance.now() - startedAt;
  const lateMs = Bun.sleep(200).then(() => msSince() - 200);
  const result = await work();
  const tookMs = msSince();
  if (tookMs >= 300) expect(tookMs - (await lateMs)).toBeLessThan(300);
  return result;
};

const line = async (port: number) => {
  const proxy = await startFaultProxy({ host: "127.0.0.1", port });
  endings.push(proxy.close);
  return proxy;
};

describe("R6: while Redis cannot be used", () => {
  test("a guard is ready immediately, counts alone, and logs that once", async () => {
    const { guard, states, log } = newGuard("redis://:hunter2@127.0.0.1:1");
    const outcomes = await inTime(() => inParallel(100, () => failIn(guard, budgetOf("a", 20))));
    expect(outcomes.filter((outcome) => outcome === "failed")).toHaveLength(20);
    await until(() => states().length > 0);
    expect(await inTime(() => kindOf(guard.spend([budgetOf("b", 1)])))).toBe("done");
    expect(await inTime(() => kindOf(guard.spend([budgetOf("b", 1)])))).toBe("RATE_LIMITED");
    expect(states()).toEqual(["connection refused"]);
    expect(JSON.stringify(log.entries)).not.toContain("hunter2");
  });

  test("a killed server unblocks no one here, and is used again within five seconds", async () => {
    const server = await newServer();
    const { guard, states, isUp } = newGuard(server.url());
    await isUp();
    expect(await failIn(guard, budgetOf("before", 1))).toBe("failed");
    await server.kill();
    expect(await inTime(() => failIn(guard, budgetOf("before", 1)))).toBe("RATE_LIMITED");
    expect(await inTime(() => failIn(guard, budgetOf("meanwhile", 1)))).toBe("failed");
    await server.restart();
    expect(await isUp()).toBeLessThan(5_000);
    expect(states()).toHaveLength(3);
    const other = newGuard(server.url());
    await other.isUp();
    expect(await failIn(other.guard, budgetOf("meanwhile", 1))).toBe("RATE_LIMITED");
  });

  test("a server that hangs costs a call a moment, once", async () => {
    const server = await newServer();
    const proxy = await line(server.port);
    const { guard, states, isUp } = newGuard(`redis://:${server.password}@127.0.0.1:${proxy.port}`);
    await isUp();
    server.freeze();
    const burst = await inTime(() => inParallel(100, () => failIn(guard, budgetOf("a", 10))));
    expect(burst.filter((outcome) => outcome === "failed")).toHaveLength(10);
    for (let n = 0; n < 20; n += 1)
      expect(await inTime(() => succeedIn(guard, budgetOf("b", 1)))).toBe("done");
    // Through several tries to connect, which the system accepts in the server's place.
    await triedAgain(proxy);
    expect(await inTime(() => failIn(guard, budgetOf("a", 10)))).toBe("RATE_LIMITED");
    expect(states()).toEqual(["in use", "no response in time"]);
    server.thaw();
    expect(await isUp()).toBeLessThan(5_000);
    // Places that were taken without an answer are free again, and what failed meanwhile is known.
    expect(await failIn(guard, budgetOf("b", 1))).toBe("failed");
    const other = newGuard(server.url());
    await other.isUp();
    expect(await failIn(other.guard, budgetOf("a", 10))).toBe("RATE_LIMITED");
  });

  test("an attempt under way when the line breaks keeps its place, and its failure is counted", async () => {
    const server = await newServer();
    const proxy = await line(server.port);
    const { guard, isUp, states } = newGuard(`redis://:${server.password}@127.0.0.1:${proxy.port}`);
    await isUp();
    const { promise, reject } = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const underWay = kindOf(
      guard.run(
        [budgetOf("a", 1)],
        () => {
          begun.resolve();
          return promise;
        },
        () => true,
      ),
    );
    await begun.promise;
    proxy.cut();
    await until(() => states().length === 2);
    const waiting = failIn(guard, budgetOf("a", 1));
    reject(new Error("wrong"));
    expect(await Promise.all([underWay, waiting])).toEqual(["failed", "RATE_LIMITED"]);
    await proxy.mend();
    await isUp();
    const other = newGuard(server.url());
    await other.isUp();
    expect(await failIn(other.guard, budgetOf("a", 1))).toBe("RATE_LIMITED");
  });

  test("an attempt that began meanwhile has its place there, once the line is back", async () => {
    const server = await newServer();
    const proxy = await line(server.port);
    proxy.cut();
    const { guard, isUp, states } = newGuard(`redis://:${server.password}@127.0.0.1:${proxy.port}`);
    await until(() => states().length === 1);
    const { promise, reject } = Promise.withResolvers<void>();
    const underWay = kindOf(
      guard.run(
        [budgetOf("a", 1)],
        () => promise,
        () => true,
      ),
    );
    expect(await succeedIn(guard, budgetOf("b", 1))).toBe("done");
    await proxy.mend();
    await isUp();
    const other = newGuard(server.url());
    await other.isUp();
    const waiting = failIn(other.guard, budgetOf("a", 1));
    expect(await inTime(() => failIn(other.guard, budgetOf("b", 1)))).toBe("failed");
    reject(new Error("wrong"));
    expect(await Promise.all([underWay, waiting])).toEqual(["failed", "RATE_LIMITED"]);
  });

  test("what is forgiven meanwhile is forgiven there too, once the line is back", async () => {
    const server = await newServer();
    const proxy = await line(server.port);
    const { guard, isUp, states } = newGuard(`redis://:${server.password}@127.0.0.1:${proxy.port}`);
    await isUp();
    expect(await failIn(guard, budgetOf("a", 1))).toBe("failed");
    proxy.cut();
    await until(() => states().length === 2);
    await inTime(() => guard.clear(["a"]));
    expect(await failIn(guard, budgetOf("a", 2))).toBe("failed");
    await proxy.mend();
    await isUp();
    const other = newGuard(server.url());
    await other.isUp();
    expect(await failIn(other.guard, budgetOf("a", 2))).toBe("failed");
    expect(await failIn(other.guard, budgetOf("a", 2))).toBe("RATE_LIMITED");
  });

  test("a line that comes and goes never opens the limits", async () => {
    const server = await newServer();
    const proxy = await line(server.port);
    const { guard, isUp } = newGuard(`redis://:${server.password}@127.0.0.1:${proxy.port}`);
    await isUp();
    const outcomes: string[] = [];
    for (let n = 0; n < 8; n += 1) {
      if (n % 2 === 0) proxy.cut();
      else await proxy.mend();
      const burst = await inTime(() => inParallel(10, () => failIn(guard, budgetOf("a", 20))));
      outcomes.push(...burst);
      await Bun.sleep(300);
    }
    expect(outcomes.filter((outcome) => outcome === "failed")).toHaveLength(20);
    await isUp();
    expect(await failIn(guard, budgetOf("a", 20))).toBe("RATE_LIMITED");
  });
});

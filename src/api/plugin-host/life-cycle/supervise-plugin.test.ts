import { describe, expect, test } from "bun:test";
import { createUser } from "#api/modules/users/index.ts";
import { pluginWorldForEachTest } from "#api/testing/plugin-world-for-each-test.ts";
import { until } from "#api/testing/until.ts";
import { PluginFault } from "../host-functions/host-function.ts";
import { InvocationError, type RuntimeFailure, SlowStartError } from "../runtime.ts";

const each = await pluginWorldForEachTest();
const { recorded, running } = each;
const name = "visitor-notes";
const crash: RuntimeFailure = { kind: "crash", reason: "Its process ended", hasRecovered: false };

const addAdmin = () =>
  createUser(each.world.ctx.as({ kind: "operator" }), {
    ...{ name: "Ada", email: "ada@example.test", password: "correct-horse-battery", role: "admin" },
  });

describe("a plugin that fails", () => {
  test("answers 503 for a moment, and runs again within half a second", async () => {
    await each.world.install();
    const { host, door, runtimes } = await running();
    runtimes.last().host.failed(crash);
    expect(host.observe(name)).toMatchObject({ state: "failed", error: "Its process ended" });
    expect(door.opened.get(name)).toBeNull();
    expect(await until(() => host.observe(name).state === "running")).toBeLessThan(500);
    expect(door.opened.get(name)).not.toBeNull();
    expect(await recorded()).toEqual(["plugin_failed high", "plugin_recovered low"]);
    expect((await each.world.row()).isEnabled).toBe(true);
  });

  /** Has it fail until it is kept off. */
  const failOften = async ({ host, runtimes }: Awaited<ReturnType<typeof running>>) => {
    for (let time = 0; time < 3; time += 1) {
      const runs = runtimes.runs.length;
      runtimes.last().host.failed(crash);
      await until(() => runtimes.runs.length > runs);
      await until(() => host.observe(name).state === "running");
    }
    runtimes.last().host.failed(crash);
    await until(() => host.observe(name).state === "quarantined");
  };
  const tooOften = "It failed too often. Last error: Its process ended";

  test("for the fourth time in a minute is tried again after 1, 5 and 30 minutes, and then switched off on all servers", async () => {
    await each.world.install();
    await addAdmin();
    const [hosted, other] = [await running(), await running()];
    const { host, door } = hosted;
    for (const [minutes, words] of [
      [1, "1 minute"],
      [5, "5 minutes"],
      [30, "30 minutes"],
    ] as const) {
      await failOften(hosted);
      expect(host.observe(name).error).toBe(`${tooOften}. It restarts in ${words}`);
      expect([door.opened.get(name), (await each.world.row()).isEnabled]).toEqual([null, true]);
      each.world.clock.advance(minutes * 60_000 - 1);
      await host.converge([name]);
      expect(host.observe(name).state).toBe("quarantined");
      each.world.clock.advance(1);
      await host.converge([name]);
      expect(host.observe(name).state).toBe("running");
    }
    await failOften(hosted);
    await until(() => other.host.observe(name).state === "quarantined");
    expect(host.observe(name)).toMatchObject({ state: "quarantined", error: tooOften });
    expect(await each.world.row()).toMatchObject({ isEnabled: false, quarantineReason: tooOften });
    expect([door.opened.size, other.door.opened.size]).toEqual([0, 0]);
    expect(other.runtimes.last().stopped).toBe("disable");
    expect((await recorded()).filter((type) => type === "plugin_failed critical")).toHaveLength(4);
    const mails = each.world.ctx.mails.map(({ to, subject, text }) => [to, subject, text.includes(tooOften)]);
    expect(mails).toEqual([["ada@example.test", "A plugin was turned off because it keeps failing", true]]);
    await each.world.want(name, { isEnabled: true, quarantineReason: null });
    await until(() => host.observe(name).state === "running");
    await failOften(hosted);
    expect(host.observe(name).error).toEndWith("in 1 minute");
  });

  test("begins with the shortest pause again once it has run for half an hour, or is switched off and on", async () => {
    await each.world.install();
    const hosted = await running();
    for (const again of [
      async () => each.world.clock.advance(31 * 60_000),
      async () => {
        await each.world.want(name, { isEnabled: false });
        await each.world.want(name, { isEnabled: true });
      },
      async () => {},
    ]) {
      await failOften(hosted);
      expect(hosted.host.observe(name).error).toEndWith("in 1 minute");
      await again();
      await hosted.host.converge([name]);
      each.world.clock.advance(31 * 60_000);
    }
  });

  test("is started again on all servers before its pause is over when an admin enables it", async () => {
    await each.world.install();
    const [hosted, other, third] = [await running(), await running(), await running()];
    for (const failing of [hosted, other]) await failOften(failing);
    const runs = third.runtimes.runs.length;
    await each.world.want(name, {});
    for (const { host } of [hosted, other]) await until(() => host.observe(name).state === "running");
    // Where it ran it goes on.
    await third.host.converge([name]);
    expect(third.runtimes.runs.length).toBe(runs);
    await failOften(hosted);
    expect(hosted.host.observe(name).error).toEndWith("in 5 minutes");
  });

  test("P6: whenever it is called is started again each time: no caller can disable it", async () => {
    await each.world.install();
    const { host, runtimes } = await running();
    for (let time = 0; time < 6; time += 1) {
      const runs = runtimes.runs.length;
      runtimes.last().host.failed({ ...crash, isExcused: true });
      await until(() => runtimes.runs.length > runs);
      await until(() => host.observe(name).state === "running");
    }
    const healed: RuntimeFailure = {
      kind: "cpu",
      reason: "It computed",
      hasRecovered: true,
      isExcused: true,
    };
    for (let time = 0; time < 6; time += 1) runtimes.last().host.failed(healed);
    host.failedRequest(name, "request.before threw");
    host.failedRequest(name, "request.before threw");
    await host.converge([name]);
    expect(host.observe(name).state).toBe("running");
    expect(await recorded()).not.toContain("plugin_failed critical");
    expect(host.logs(name, 0).filter(({ message }) => message === "request.before threw")).not.toEqual([]);
  });

  test("now and then is started again each time", async () => {
    await each.world.install();
    const { host, runtimes } = await running();
    for (const expected of [2, 3, 4, 5, 6]) {
      runtimes.last().host.failed(crash);
      await until(() => runtimes.runs.length === expected);
      await until(() => host.observe(name).state === "running");
      each.world.clock.advance(30_000);
    }
    expect(host.observe(name).state).toBe("running");
  });

  test("and recovers automatically is reported, and counts", async () => {
    await each.world.install();
    const { host, runtimes } = await running();
    const healed: RuntimeFailure = { kind: "cpu", reason: "It computed too long", hasRecovered: true };
    runtimes.last().host.failed(healed);
    expect(host.observe(name).state).toBe("running");
    expect(await recorded()).toEqual(["plugin_failed high", "plugin_recovered low"]);
    for (let count = 0; count < 3; count += 1) runtimes.last().host.failed(healed);
    await until(() => host.observe(name).state === "quarantined");
    expect(runtimes.runs).toHaveLength(1);
  });

  test("in its setup is tried four times, and then kept off", async () => {
    await each.world.install();
    const { host, runtimes } = each.world.createHost();
    let tries = 0;
    runtimes.behave({
      setup: () => {
        tries += 1;
        return Promise.reject(new Error("no such table"));
      },
    });
    host.start();
    await until(() => host.observe(name).state === "quarantined");
    expect(tries).toBe(4);
    expect(host.observe(name).error).toStartWith("It failed too often. Last error: no such table");
  });

  test("to start because the machine was slow is tried again, and is not given up", async () => {
    await each.world.install();
    const { host, runtimes } = each.world.createHost();
    let tries = 0;
    runtimes.behave({
      setup: () => {
        tries += 1;
        return Promise.reject(new SlowStartError("Its setup took longer than 5000 ms"));
      },
    });
    host.start();
    await until(async () => {
      await host.converge([name]);
      return tries > 6;
    });
    expect(host.observe(name)).toMatchObject({
      state: "failed",
      error: "Its setup took longer than 5000 ms",
    });
    runtimes.behave({ setup: async () => {} });
    each.world.clock.advance(15_000);
    await until(() => host.observe(name).state === "running");
  });

  test("in its setup because the database is away waits until that is back, and is not given up", async () => {
    await each.world.install();
    let isAway = true;
    const { host, runtimes } = each.world.createHost({
      hostCalls: () => async () => {
        if (isAway) throw new PluginFault("UNAVAILABLE", "The database is not reachable");
        return undefined;
      },
    });
    let tries = 0;
    runtimes.behave({
      setup: async (_, { call }) => {
        tries += 1;
        await call("kv.get", ["a"]);
      },
    });
    host.start();
    await until(async () => {
      await host.converge([name]);
      return tries > 6;
    });
    expect((await each.world.row()).isEnabled).toBe(true);
    isAway = false;
    each.world.clock.advance(15_000);
    await until(() => host.observe(name).state === "running");
  });

  test("by registering what was not granted is not opened", async () => {
    await each.world.install();
    const { host, door, runtimes } = each.world.createHost();
    runtimes.behave({ registration: { jobs: [{ handler: "j0", name: "tidy", everyMs: 5_000 }] } });
    host.start();
    await until(() => host.observe(name).state === "quarantined");
    expect(door.opened.get(name)).toBeNull();
    expect(runtimes.runs.map(({ stopped }) => stopped)).toEqual(Array(4).fill("shutdown"));
    expect(await recorded()).toContain("permission_violation medium");
  });

  test("says that it is not well three times in a row, and is started again", async () => {
    await each.world.install();
    const { host, runtimes } = await running();
    runtimes.behave({ health: async () => ({ ok: false, detail: "the queue is full" }) });
    const seen = () =>
      host.logs(name, 0).filter(({ message }) => message.includes("the queue is full")).length;
    for (const expected of [1, 2]) {
      each.world.clock.advance(30_000);
      await until(() => seen() >= expected);
    }
    expect(runtimes.runs).toHaveLength(1);
    each.world.clock.advance(30_000);
    await until(() => runtimes.runs.length === 2);
    expect(runtimes.runs[0]?.stopped).toBe("shutdown");
    expect(await recorded()).toEqual([
      "health_check_failed high",
      "plugin_failed high",
      "plugin_recovered low",
    ]);
  });

  test("to answer how it is because it has too much to do is left alone", async () => {
    await each.world.install();
    const { runtimes } = await running();
    let asked = 0;
    runtimes.behave({
      health: () => {
        asked += 1;
        return Promise.reject(new InvocationError("too-many", "busy"));
      },
    });
    for (const expected of [1, 2, 3, 4]) {
      each.world.clock.advance(30_000);
      await until(() => asked === expected);
    }
    expect(runtimes.runs).toHaveLength(1);
  });
});

describe("a plugin that breaks the rules", () => {
  test("is disabled immediately, and admins get an email", async () => {
    await each.world.install();
    await addAdmin();
    await each.world.read();
    const { host, runtimes } = await running();
    const reason = "It sent a message that no plugin can send";
    runtimes.last().host.failed({ kind: "violation", reason, hasRecovered: false });
    await until(async () => (await each.world.row()).quarantineReason === reason);
    expect(host.observe(name)).toMatchObject({ state: "quarantined", error: reason });
    expect(runtimes.runs).toHaveLength(1);
    expect(await recorded()).toEqual(["plugin_failed critical"]);
    await until(() => each.world.ctx.mails.length > 0);
    expect(each.world.ctx.mails.map(({ subject }) => subject)).toEqual([
      "A plugin stays off until you enable it",
    ]);
  });

  test("by asking again and again for what it was not granted is switched off as suspicious", async () => {
    await each.world.install();
    const violations: (() => void)[] = [];
    const { host } = await running({
      hostCalls: ({ violated }) => {
        violations.push(() => violated("It kept requesting a permission that it doesn't have (kv)"));
        return async () => undefined;
      },
    });
    violations[0]?.();
    await until(async () => !(await each.world.row()).isEnabled);
    expect(host.observe(name).state).toBe("quarantined");
    expect(await recorded()).toEqual(["suspicious_activity critical"]);
  });

  test("stays off here, closed, when that cannot be stored, which is tried again", async () => {
    await each.world.install();
    let isAway = true;
    const transaction: typeof each.db.transaction = (...work) =>
      isAway ? Promise.reject(new Error("away")) : each.db.transaction(...work);
    const db = Object.assign(Object.create(each.db), { transaction });
    const { host, runtimes, door } = await running({ db });
    runtimes.last().host.failed({ kind: "violation", reason: "Forged", hasRecovered: false });
    await until(() => host.observe(name).state === "quarantined");
    await host.converge([name]);
    expect((await each.world.row()).isEnabled).toBe(true);
    expect(host.observe(name).state).toBe("quarantined");
    expect(door.opened.has(name)).toBe(false);
    isAway = false;
    each.world.clock.advance(15_000);
    await until(async () => !(await each.world.row()).isEnabled);
    expect(runtimes.runs).toHaveLength(1);
  });
});

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { sandboxLimits } from "#api/plugin-host/sandbox/sandbox-limits.ts";
import { startSandboxWith } from "#api/plugin-host/sandbox/start-sandbox.ts";
import { pluginSource, type SandboxedPlugin, startSandboxed } from "#api/testing/sandboxed-plugin.ts";
import { until } from "#api/testing/until.ts";
import { pluginLimits } from "#contract/plugins.ts";
import { attacks } from "../fixtures/hostile-plugins/attacks.ts";

const fixtures = join(import.meta.dir, "../fixtures/hostile-plugins");

/** A peaceful neighbor: its plugin, and a route of the server that the attacked process is. */
let neighbour: SandboxedPlugin;
let server: Bun.Server<undefined>;
let worstLagMs = 0;
let watch: NodeJS.Timeout;

beforeAll(async () => {
  neighbour = await startSandboxed(pluginSource(`ctx.routes.get("/", () => "well");`));
  server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("well") });
  let last = performance.now();
  watch = setInterval(() => {
    const now = performance.now();
    worstLagMs = Math.max(worstLagMs, now - last - lagEveryMs);
    last = now;
  }, lagEveryMs);
});

afterAll(async () => {
  clearInterval(watch);
  await server.stop(true);
  await neighbour.runtime.stop("shutdown");
});

/** The server and the other plugin continue as if nothing were happening. */
const expectUnharmed = async (): Promise<void> => {
  expect(await (await fetch(server.url)).text()).toBe("well");
  expect(await neighbour.get("/")).toBe("well");
  expect(neighbour.failures).toEqual([]);
  expect(worstLagMs).toBeLessThan(lagLimitMs);
};

describe("a plugin that tries", () => {
  test.each(attacks.map((attack) => [attack.name, attack] as const))(
    "%s is contained",
    async (_, { route }) => {
      worstLagMs = 0;
      const plugin = await startSandboxed(
        pluginSource(`ctx.routes.get("/", async () => { ${route} }); ctx.routes.get("/sync", () => 1);`),
        { limits: { wallMs: 1500 }, onCall: async () => "answer" },
      );
      const outcome = plugin.get("/").then(
        (answer) => JSON.stringify(answer) ?? "nothing",
        (error: Error) => error.message,
      );
      const said = await Promise.race([outcome, Bun.sleep(5000).then(() => "hangs")]);
      expect(said).not.toBe("hangs");
      // What a sandbox that leaks would have answered.
      expect(said).not.toMatch(/root:|uid=|^\d{3,}$/);
      await expectUnharmed();
      for (const { kind } of plugin.failures) expect(["cpu", "crash", "memory", "hang"]).toContain(kind);
      expect(plugin.runtime.memoryBytes() ?? 0).toBeLessThan(pluginLimits.processBytes);
      await plugin.runtime.stop("shutdown");
    },
    20_000,
  );

  test("endless promises after its answer is stopped once it has used its time", async () => {
    const plugin = await startSandboxed(
      pluginSource(
        `ctx.routes.get("/", () => { (async () => { for (;;) await 0; })(); return "done"; }); ctx.routes.get("/well", () => "well");`,
      ),
    );
    expect(await plugin.get("/")).toBe("done");
    await until(() => plugin.failures.length > 0, 15_000);
    expect(plugin.failures).toMatchObject([{ kind: "cpu", hasRecovered: true }]);
    expect(await plugin.get("/well")).toBe("well");
    await plugin.runtime.stop("shutdown");
  }, 30_000);

  test("to take more memory than its limit runs out of it, and keeps running with what it has", async () => {
    const plugin = await startSandboxed(
      pluginSource(
        `ctx.routes.get("/", () => { const all = []; for (;;) all.push(new Uint8Array(1 << 20)); });
         ctx.routes.get("/well", () => "well");`,
      ),
    );
    await expect(plugin.get("/")).rejects.toThrow("out of memory");
    expect(await plugin.get("/well")).toBe("well");
    expect(plugin.failures).toEqual([]);
    await plugin.runtime.stop("shutdown");
  });

  test("to keep computing after its deadline gets a new interpreter immediately", async () => {
    const plugin = await startSandboxed(
      pluginSource(`ctx.routes.get("/", async () => { for (;;) await 0; });`),
      {
        // Less than the processor time that it may use.
        limits: { wallMs: 100 },
      },
    );
    await expect(plugin.get("/")).rejects.toThrow("It did not respond within 100 ms");
    await until(() => plugin.failures.length > 0, 5000);
    expect(plugin.failures).toMatchObject([
      {
        kind: "cpu",
        reason: expect.stringMatching(/^It used \d+ of \d+ ms of CPU time in GET \/$/),
        hasRecovered: true,
      },
    ]);
    await plugin.runtime.stop("shutdown");
  });

  test("to break its interpreter again and again is ended", async () => {
    const plugin = await startSandboxed(
      pluginSource(`ctx.routes.get("/", () => JSON.parse("[".repeat(1e6)));
        ctx.routes.get("/hang", () => Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1));`),
      { limits: { cpuMs: 20 } },
    );
    const isOver = (): boolean => plugin.failures.some(({ hasRecovered }) => !hasRecovered);
    const most = sandboxLimits.recoveriesAMinute;
    for (let tries = 0; tries < 2 * most && !isOver(); tries += 1) await plugin.get("/hang").catch(() => {});
    expect(isOver()).toBe(true);
    expect(plugin.failures.length).toBeLessThanOrEqual(most + 1);
    await plugin.runtime.stop("shutdown");
  }, 60_000);
});

describe("a plugin's process that was taken over and", () => {
  const forgers: [string, string, string][] = [
    ["answers before it started", "early-result", "start"],
    ["registers as another plugin", "other-name", "start"],
    ["answers what it was not asked", "unasked-result", "violation"],
    ["answers a heartbeat that was not", "unasked-pong", "violation"],
    ["asks for an operation that does not exist", "unknown-operation", "violation"],
    ["passes arguments that are no list", "arguments-no-list", "violation"],
    ["makes the same call twice", "same-call-twice", "violation"],
    ["floods the host with calls", "call-flood", "violation"],
    ["floods the log", "line-flood", "violation"],
    ["sends an enormous message", "huge-frame", "violation"],
    ["sends an enormous head", "huge-head", "violation"],
    ["sends something nested deeply", "deep-body", "violation"],
    ["sends what is no JSON", "no-json", "violation"],
    ["starts a second time", "second-start", "violation"],
    ["claims to recover without end", "recovery-flood", "violation"],
    ["words its own end as the host's verdict", "own-violation", "violation"],
    ["goes deaf", "deaf", "hang"],
  ];
  test.each(forgers)("%s is ended", async (_, mode, kind) => {
    worstLagMs = 0;
    const start = startSandboxWith(() => [process.execPath, join(fixtures, "forging-child.ts"), mode]);
    const failed = startSandboxed(pluginSource(""), {
      start,
      onCall: () => Bun.sleep(500).then(() => "answer"),
    });
    if (kind === "start") await expect(failed).rejects.toThrow("broke the rules");
    else {
      const plugin = await failed;
      const ends = (): boolean => plugin.failures.some(({ hasRecovered }) => !hasRecovered);
      // By its own work on a busy machine, too.
      await until(ends, 15_000);
      expect(plugin.failures.at(-1)).toMatchObject({ kind, hasRecovered: false });
      // The host was not asked for more than a plugin may.
      expect(plugin.calls.length).toBeLessThanOrEqual(pluginLimits.hostCallsAtOnce);
      await plugin.runtime.stop("shutdown");
    }
    await expectUnharmed();
  });

  test.if(process.platform === "linux" && ["x64", "arm64"].includes(process.arch))(
    "tries files, sockets and programs is refused by the kernel",
    async () => {
      const child = Bun.spawn([process.execPath, join(fixtures, "locked-child.ts"), String(server.port)], {
        cwd: "/",
        env: {},
        stdio: ["ignore", "pipe", "pipe"],
      });
      const printed = await Bun.readableStreamToText(child.stdout);
      expect(JSON.parse(printed)).toEqual({ isolation: "process+seccomp", done: [] });
    },
    20_000,
  );
});

test("a process that only its own memory limit would stop is ended over 160 MB", async () => {
  const start = startSandboxWith(() => [process.execPath, join(fixtures, "forging-child.ts"), "hoarder"]);
  const plugin = await startSandboxed(pluginSource(""), { start });
  await until(() => plugin.failures.length > 0, 10_000);
  expect(plugin.failures).toMatchObject([{ kind: "memory", hasRecovered: false }]);
  await plugin.runtime.stop("shutdown");
}, 20_000);

const lagEveryMs = 10;
// A busy machine delays a timer by itself; an attack that reached the server would stop it for as long as it lasts.
const lagLimitMs = 400;

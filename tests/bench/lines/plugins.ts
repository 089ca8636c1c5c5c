import { pluginSource, type SandboxedPlugin, startSandboxed } from "#api/testing/sandboxed-plugin.ts";
import { until } from "#api/testing/until.ts";
import { interleave, median } from "../measure/interleave.ts";
import { cpuUs, processTree } from "../measure/processes.ts";
import { decimal } from "../report.ts";
import type { BenchLine } from "./bench-line.ts";

const calls = 10_000;
// Together fewer calls of the host than a second allows.
const askingCalls = 400;
const callsAtOnce = 16;

/** What one kind of round found, each number under the name of its row. */
type Round = Record<string, number>;
type Row = { name: string; unit: string; goal: number };

const rows: Row[] = [
  { name: "start", unit: "ms", goal: 200 },
  { name: "private memory of its process, a second after its start", unit: "MB", goal: 15 },
  { name: "call, CPU of both processes", unit: "µs", goal: 60 },
  { name: "call that asks the host twice, CPU of both", unit: "µs", goal: 200 },
  { name: "hung until killed and reported", unit: "ms", goal: 1_300 },
  { name: "hung until running again", unit: "ms", goal: 1_500 },
  { name: "new interpreter in the process", unit: "ms", goal: 50 },
];

/** What a plugin in its sandbox costs: to start, to call, and to bring back after it hung. */
export const pluginsLine: BenchLine = {
  name: "plugins",
  run: async ({ rounds }) => {
    await measure();
    const [results = []] = await interleave([measure], rounds, (round) => round());
    return {
      title: "Plugins in their sandbox",
      method:
        `Medians of ${rounds} rounds, one plugin each. A call hands a JSON body of 190 bytes in and out, ${callsAtOnce} at ` +
        `once, ${calls} in all after as many to warm up. A hung process is stopped by a signal; the pause before a restart is not counted.`,
      columns: ["", "measured", "slowest", "goal"],
      rows: rows.map(({ name, unit, goal }) => {
        const values = results.map((result) => result[name] ?? Number.NaN);
        return [
          name,
          `${decimal(median(values), 1)} ${unit}`,
          decimal(Math.max(...values), 1),
          `≤ ${decimal(goal)}`,
        ];
      }),
    };
  },
};

const source = pluginSource(
  `ctx.routes.get("/echo", (request) => request.body);
   ctx.routes.get("/ask", async (request) => { await ctx.kv.set("a", 1); return ctx.kv.get("a"); });
   ctx.routes.get("/break", () => JSON.parse("[".repeat(1e6)));`,
);

const measure = async (): Promise<Round> => {
  const begun = performance.now();
  const { plugin, pid } = await startOne();
  const startMs = performance.now() - begun;
  // Some memory is given back only a moment after it was freed.
  await Bun.sleep(1_000);
  const memoryMB = (plugin.runtime.memoryBytes() ?? Number.NaN) / 1_000_000;
  // The first calls pay for the compiler.
  await cpuOfCalls(plugin, "r0", calls);
  const callUs = await cpuOfCalls(plugin, "r0", calls);
  const askUs = await cpuOfCalls(plugin, "r1", askingCalls);

  const brokenAt = performance.now();
  await plugin.get("/break").catch(() => {});
  const gaveUpMs = performance.now() - brokenAt;
  await plugin.get("/echo");
  const anewMs = performance.now() - brokenAt - gaveUpMs;

  const hungAt = performance.now();
  process.kill(pid, "SIGSTOP");
  await until(() => plugin.failures.some(({ kind }) => kind === "hang"));
  const reportedMs = performance.now() - hungAt;
  const again = await startOne();
  await again.plugin.get("/echo");
  const runningMs = performance.now() - hungAt;
  await Promise.all([plugin.runtime.stop("shutdown"), again.plugin.runtime.stop("shutdown")]);
  const measured = [startMs, memoryMB, callUs, askUs, reportedMs, runningMs, anewMs];
  return Object.fromEntries(rows.map(({ name }, index) => [name, measured[index] ?? Number.NaN]));
};

/** A plugin, and the process it runs in. */
const startOne = async (): Promise<{ plugin: SandboxedPlugin; pid: number }> => {
  const before = new Set(processTree(process.pid));
  const plugin = await startSandboxed(source, { onCall: async () => "value" });
  const pid = processTree(process.pid).find((one) => !before.has(one));
  if (pid === undefined) throw new Error("the plugin has no process");
  return { plugin, pid };
};

const cpuOfCalls = async ({ runtime }: SandboxedPlugin, handler: string, count: number): Promise<number> => {
  const body = { name: "Ada Lovelace", note: "x".repeat(120), numbers: [1, 2, 3], isRead: false };
  const payload = { method: "POST", path: "/echo", params: {}, query: {}, headers: {}, body, user: null };
  const before = cpuUs(processTree(process.pid));
  for (let n = 0; n < count; n += callsAtOnce)
    await Promise.all(Array.from({ length: callsAtOnce }, () => runtime.invoke(handler, payload)));
  return (cpuUs(processTree(process.pid)) - before) / count;
};

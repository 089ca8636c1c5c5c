/** `bun run bench [line…]`: prints one table for each line; goals stand beside what was measured and never fail. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { activityLine } from "./lines/activity.ts";
import { activityEmbeddedLine } from "./lines/activity-embedded.ts";
import { backupLine } from "./lines/backup.ts";
import type { BenchLine } from "./lines/bench-line.ts";
import { capacityLine } from "./lines/capacity.ts";
import { cloneLine } from "./lines/clone.ts";
import { currentUserLine } from "./lines/current-user.ts";
import { enteredFilesLine } from "./lines/entered-files.ts";
import { firewallLine } from "./lines/firewall.ts";
import { limiterLine } from "./lines/limiter.ts";
import { listsLine } from "./lines/lists.ts";
import { moveLine } from "./lines/move.ts";
import { pageQualityLine } from "./lines/page-quality.ts";
import { pagesLine } from "./lines/pages.ts";
import { pluginDispatchLine } from "./lines/plugin-dispatch.ts";
import { pluginLifeLine } from "./lines/plugin-life.ts";
import { pluginsLine } from "./lines/plugins.ts";
import { signInLine } from "./lines/sign-in.ts";
import { signInStormLine } from "./lines/sign-in-storm.ts";
import { startLine } from "./lines/start.ts";
import { webPerformanceLine } from "./lines/web-performance.ts";
import { leaveMeasuredCore } from "./measure/cores.ts";
import { formatReport } from "./report.ts";

const lines: BenchLine[] = [
  currentUserLine,
  signInLine,
  signInStormLine,
  startLine,
  cloneLine,
  pagesLine,
  pageQualityLine,
  activityLine,
  activityEmbeddedLine,
  listsLine,
  moveLine,
  backupLine,
  limiterLine,
  firewallLine,
  pluginDispatchLine,
  pluginsLine,
  pluginLifeLine,
  webPerformanceLine,
  capacityLine,
  enteredFilesLine,
];

const help = `bun run bench [line…] [--rounds 5] [--seconds 3] [--rows 1000000] [--against FILE]

Lines: ${lines.map(({ name }) => name).join(", ")}; all of them by default.
Needs Linux, wrk and taskset; rows about PostgreSQL need its server programs, page-quality needs Chromium and the npm
registry. The line clone needs npx and Git instead of wrk. The lines activity and backup fill a log of --rows rows first: a minute and 2 GB for a million of them.
The line start also measures the executable of another build, such as of the commit before a change: --against FILE.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "3" },
    rows: { type: "string", default: "1000000" },
    against: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

const run = async (): Promise<void> => {
  const unknown = positionals.filter((name) => lines.every((line) => line.name !== name));
  const counts = {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    rows: Number(values.rows),
  };
  const settings = { ...counts, against: values.against === undefined ? null : resolve(values.against) };
  const isCountable = Object.values(counts).every((value) => Number.isInteger(value) && value > 0);
  if (values.help) return console.log(help);
  if (unknown.length > 0 || !isCountable) {
    console.error(help);
    process.exitCode = 64;
    return;
  }
  const chosen = lines.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const programs = new Set(["taskset", ...chosen.flatMap((line) => line.programs ?? ["wrk"])]);
  const missing = [...programs].filter((program) => Bun.which(program) === null);
  if (missing.length > 0)
    throw new Error(`not installed: ${missing.join(", ")} (Debian: git, npm, util-linux, wrk)`);
  leaveMeasuredCore();
  for (const line of chosen) {
    for (const report of [await line.run(settings)].flat()) console.log(formatReport(report));
  }
};

await run();

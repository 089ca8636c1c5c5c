import { join } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import { isAlive } from "../../driver/is-alive.ts";
import { removeFolder, temporaryFolder } from "../../driver/start-server.ts";
import { runChecked } from "../../services/run-checked.ts";
import { onAllCores } from "../measure/cores.ts";
import { median } from "../measure/interleave.ts";
import { cpuUs, peakBytes, processTree, residentBytes } from "../measure/processes.ts";
import { decimal, megabytes } from "../report.ts";
import { startSubject } from "../subjects/start-subject.ts";
import type { BenchLine } from "./bench-line.ts";

const projectRoot = join(import.meta.dir, "../../..");
const goals = { firstSeconds: 12, nextSeconds: 2, packagesBytes: 300_000_000, largestBytes: 900_000_000 };
const sampleMs = 100;

type Start = { seconds: number; cpuSeconds: number; wholeBytes: number; largestBytes: number };
type Round = { first: Start; next: Start; packagesBytes: number };

/** A fresh clone of what is committed here, from the run command to the line that says where it listens. */
export const cloneLine: BenchLine = {
  name: "clone",
  programs: ["git", "npx"],
  run: async ({ rounds }) => {
    const all: Round[] = [];
    for (let round = 0; round < rounds; round += 1) all.push(await measureClone());
    const row = (name: string, start: (round: Round) => Start, goalSeconds: number, others: string[]) => {
      const starts = all.map(start);
      return [
        name,
        decimal(Math.min(...starts.map(({ seconds }) => seconds)), 1),
        decimal(median(starts.map(({ seconds }) => seconds)), 1),
        `≤ ${goalSeconds}`,
        decimal(median(starts.map(({ cpuSeconds }) => cpuSeconds)), 1),
        megabytes(median(starts.map(({ wholeBytes }) => wholeBytes))),
        megabytes(median(starts.map(({ largestBytes }) => largestBytes))),
        ...others,
      ];
    };
    const packages = megabytes(median(all.map(({ packagesBytes }) => packagesBytes)));
    return {
      title: "From a clone to a server",
      method:
        `\`${runWords.join(" ")}\` in ${rounds} new clones of what is committed, each started twice, on all cores, with packages that ` +
        "have been downloaded before. Seconds until it listens. CPU is the processor time of all that ran until then; " +
        `memory the most that all of it had resident at the same time, sampled every ${sampleMs} ms, shared pages counted in each process, ` +
        "and the most that a single process had, which is the database's.",
      columns: [
        ...["", "fastest s", "median s", "goal", "CPU s", "memory", "largest", "goal"],
        ...["node_modules", "goal"],
      ],
      rows: [
        row("first start", ({ first }) => first, goals.firstSeconds, [
          `≤ ${megabytes(goals.largestBytes)}`,
          packages,
          `≤ ${megabytes(goals.packagesBytes)}`,
        ]),
        row("second start", ({ next }) => next, goals.nextSeconds, []),
      ],
    };
  },
};

const runWords = ["npx", "-y", packageJson.packageManager, "start"];

const measureClone = async (): Promise<Round> => {
  const folder = temporaryFolder();
  try {
    const clone = join(folder, "clone");
    runChecked(["git", "clone", "--quiet", projectRoot, clone], folder);
    const first = await measureStart("first", clone);
    const next = await measureStart("next", clone);
    return { first, next, packagesBytes: bytesBelow(join(clone, "node_modules")) };
  } finally {
    removeFolder(folder);
  }
};

const measureStart = async (name: string, clone: string): Promise<Start> => {
  let [wholeBytes, largestBytes] = [0, 0];
  const sampler = setInterval(() => {
    const pids = processTree(process.pid).slice(1);
    wholeBytes = Math.max(wholeBytes, residentBytes(pids));
    largestBytes = Math.max(largestBytes, peakBytes(pids));
  }, sampleMs);
  const begun = performance.now();
  try {
    const [program = "", ...words] = runWords;
    const subject = await startSubject({
      ...{ name, folder: clone, file: "scripts/start.ts", prefix: onAllCores },
      ...{ program: [program], words },
    });
    const seconds = (performance.now() - begun) / 1_000;
    const pids = processTree(subject.serverPid);
    const cpuSeconds = cpuUs(pids) / 1_000_000;
    await subject.stop();
    // The package runner ends before the server that it started.
    while (pids.some(isAlive)) await Bun.sleep(sampleMs);
    return { seconds, cpuSeconds, wholeBytes, largestBytes };
  } finally {
    clearInterval(sampler);
  }
};

/** What a folder takes up on the disk. */
const bytesBelow = (folder: string): number => {
  const { stdout } = Bun.spawnSync(["du", "-sk", folder]);
  return Number(stdout.toString().split("\t")[0]) * 1024;
};

import { existsSync } from "node:fs";
import { join } from "node:path";
import { executable } from "../../driver/program.ts";
import { onAllCores } from "../measure/cores.ts";
import { interleave, median } from "../measure/interleave.ts";
import { cpuUs, processTree, residentBytes } from "../measure/processes.ts";
import { decimal, megabytes } from "../report.ts";
import { createInstallation, type Installation } from "../subjects/atrium.ts";
import { type Subject, startSubject } from "../subjects/start-subject.ts";
import { inWorkshop, type Workshop } from "../subjects/workshop.ts";
import type { BenchLine } from "./bench-line.ts";

const starts = 7;
const idleMs = 60_000;
const pollMs = 2;

const mainFile = "src/cli/main.ts";
const programs = [
  { name: "executable", words: [executable] },
  { name: "sources", words: [process.execPath, join(import.meta.dir, "../../..", mainFile)] },
] as const;
type Program = { name: string; words: readonly string[] };

type Case = { name: string; goalMs: number | null; goalBytes: number; place(): Promise<Installation> };
type Start = { readyMs: number; cpuMs: number };
type Memory = { serverBytes: number; databaseBytes: number };

const embeddedBytes = 260_000_000;
const serverBytes = 90_000_000;

/**
 * From the start of the process to the first 200 of the readiness call, and the memory of a server that rests: the
 * executable beside the same program from its sources.
 */
export const startLine: BenchLine = {
  name: "start",
  programs: [],
  run: ({ against }) =>
    inWorkshop(async (workshop) => {
      if (!existsSync(executable)) throw new Error("the executable is not built: bun run build");
      const all = [...programs, ...(against === null ? [] : [{ name: "other build", words: [against] }])];
      const rows = await helpRows(workshop, all);
      for (const one of await casesOf(workshop)) rows.push(...(await rowsOf(workshop, one, all)));
      return {
        title: "Start and idle memory",
        method:
          `${starts} starts of each in turns, on all cores, from the start of the process to the first 200 of ` +
          "/api/ready. CPU is the processor time of server and database process until then; memory is what both have " +
          `resident ${idleMs / 1_000} s after that; times compares the median with the one of the executable.`,
        columns: ["", "fastest ms", "median ms", "goal", "times", "CPU ms", "memory", "database", "goal"],
        rows,
      };
    }),
};

const helpRows = async (
  { folder }: Pick<Workshop, "folder">,
  programs: readonly Program[],
): Promise<string[][]> => {
  const results = await interleave([...programs], starts, async ({ words }): Promise<Start> => {
    const begun = performance.now();
    const child = Bun.spawn([...onAllCores, ...words, "--help"], { cwd: folder, stdout: "ignore" });
    await child.exited;
    return {
      readyMs: performance.now() - begun,
      cpuMs: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1_000,
    };
  });
  return programs.map(({ name }, index) => [
    ...startCells(`--help, ${name}`, results, index, name === "executable" ? 150 : null),
    ...["", "", ""],
  ]);
};

const rowsOf = async (workshop: Workshop, one: Case, programs: readonly Program[]): Promise<string[][]> => {
  const results = await interleave([...programs], starts, async (program) =>
    startOnce(workshop, program, await one.place()),
  );
  const rows: string[][] = [];
  for (const [index, program] of programs.entries()) {
    const isGoal = program.name === "executable";
    const memory = await restingMemory(workshop, program, await one.place());
    rows.push([
      ...startCells(`${one.name}, ${program.name}`, results, index, isGoal ? one.goalMs : null),
      megabytes(memory.serverBytes + memory.databaseBytes),
      memory.databaseBytes === 0 ? "" : megabytes(memory.databaseBytes),
      isGoal ? `≤ ${megabytes(one.goalBytes)}` : "",
    ]);
  }
  return rows;
};

/** The cells up to the processor time, of the program at `index`. */
const startCells = (name: string, results: Start[][], index: number, goalMs: number | null): string[] => {
  const medians = results.map((found) => median(found.map(({ readyMs }) => readyMs)));
  const own = results[index] ?? [];
  return [
    name,
    decimal(Math.min(...own.map(({ readyMs }) => readyMs))),
    decimal(medians[index] ?? Number.NaN),
    goalMs === null ? "" : `≤ ${decimal(goalMs)}`,
    decimal((medians[index] ?? Number.NaN) / (medians[0] ?? Number.NaN), 1),
    decimal(median(own.map(({ cpuMs }) => cpuMs))),
  ];
};

const casesOf = async ({ folder, postgres }: Workshop): Promise<Case[]> => {
  const existing = await createInstallation(folder, null);
  const embedded: Case[] = [
    {
      ...{ name: "embedded, empty folder", goalMs: 2_000, goalBytes: embeddedBytes },
      place: () => createInstallation(folder, null),
    },
    {
      ...{ name: "embedded, existing folder", goalMs: 800, goalBytes: embeddedBytes },
      place: async () => existing,
    },
  ];
  await startOnce({ folder }, programs[0], existing);
  if (postgres === null) return embedded;
  const migrated = await createInstallation(folder, postgres);
  await startOnce({ folder }, programs[0], migrated);
  return [
    ...embedded,
    {
      ...{ name: "PostgreSQL, empty database", goalMs: null, goalBytes: serverBytes },
      place: () => createInstallation(folder, postgres),
    },
    {
      ...{ name: "PostgreSQL, existing database", goalMs: 150, goalBytes: serverBytes },
      place: async () => migrated,
    },
  ];
};

const startOnce = async (
  where: Pick<Workshop, "folder">,
  program: Program,
  place: Installation,
): Promise<Start> => {
  const { subject, ...start } = await startMeasured(where, program, place);
  await subject.stop();
  return start;
};

const restingMemory = async (
  where: Pick<Workshop, "folder">,
  program: Program,
  place: Installation,
): Promise<Memory> => {
  const { subject } = await startMeasured(where, program, place);
  await Bun.sleep(idleMs);
  const memory = memoryOf(subject);
  await subject.stop();
  return memory;
};

const startMeasured = async (
  { folder }: Pick<Workshop, "folder">,
  program: Program,
  { env }: Installation,
): Promise<Start & { subject: Subject }> => {
  const port = await freePort();
  const begun = performance.now();
  const starting = startSubject({
    name: `${program.name} ${begun}`,
    folder,
    file: mainFile,
    program: program.words,
    words: ["serve"],
    env: { ...env, PORT: String(port) },
    prefix: onAllCores,
  });
  const [subject, readyMs] = await Promise.all([starting, readyAfter(port, begun)]);
  return { subject, readyMs, cpuMs: cpuUs(processTree(subject.serverPid)) / 1_000 };
};

const readyAfter = async (port: number, begun: number): Promise<number> => {
  const deadline = begun + 60_000;
  while (performance.now() < deadline) {
    if (await isReady(port)) return performance.now() - begun;
    await Bun.sleep(pollMs);
  }
  throw new Error("the server was not ready within a minute");
};

const isReady = async (port: number): Promise<boolean> => {
  try {
    return (await fetch(`http://127.0.0.1:${port}/api/ready`)).status === 200;
  } catch {
    // No one listens yet.
    return false;
  }
};

const memoryOf = ({ serverPid }: Subject): Memory => ({
  serverBytes: residentBytes([serverPid]),
  databaseBytes: residentBytes(processTree(serverPid).slice(1)),
});

const freePort = async (): Promise<number> => {
  const probe = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(null) });
  const port = probe.port ?? 0;
  await probe.stop(true);
  return port;
};

import { onAllCores } from "../measure/cores.ts";
import { median } from "../measure/interleave.ts";
import { cpuUs, processTree, residentBytes } from "../measure/processes.ts";
import { decimal, megabytes } from "../report.ts";
import { createInstallation, type Installation } from "../subjects/atrium.ts";
import { type Subject, startSubject } from "../subjects/start-subject.ts";
import { inWorkshop, type Workshop } from "../subjects/workshop.ts";
import type { BenchLine } from "./bench-line.ts";

const starts = 5;
const idleMs = 3_000;
const pollMs = 5;

type Case = { name: string; goalMs: number | null; place(): Promise<Installation> };
type Start = { readyMs: number; cpuMs: number; serverBytes: number; databaseBytes: number };

/** From the start of the process to the first 200 of the readiness call, and the memory of a server that rests. */
export const startLine: BenchLine = {
  name: "start",
  run: () =>
    inWorkshop(async (workshop) => {
      const rows: string[][] = [];
      for (const { name, goalMs, place } of await casesOf(workshop)) {
        const results: Start[] = [];
        for (let n = 0; n < starts; n += 1) results.push(await startOnce(workshop, name, await place()));
        rows.push([
          name,
          decimal(median(results.map(({ readyMs }) => readyMs))),
          decimal(Math.max(...results.map(({ readyMs }) => readyMs))),
          goalMs === null ? "" : `≤ ${decimal(goalMs)}`,
          decimal(median(results.map(({ cpuMs }) => cpuMs))),
          megabytes(median(results.map(({ serverBytes }) => serverBytes))),
          name.startsWith("PostgreSQL")
            ? ""
            : megabytes(median(results.map(({ databaseBytes }) => databaseBytes))),
        ]);
      }
      return {
        title: "Start and idle memory",
        method:
          `Medians of ${starts} starts on all cores, from the start of the process to the first 200 of /api/ready. ` +
          `CPU is the processor time of server and database process until then; memory is resident memory ${idleMs / 1_000} s after that.`,
        columns: ["", "ready ms", "slowest", "goal", "CPU ms", "server", "database process"],
        rows,
      };
    }),
};

const casesOf = async ({ folder, postgres }: Workshop): Promise<Case[]> => {
  const existing = await createInstallation(folder, null);
  const embedded: Case[] = [
    { name: "embedded, empty folder", goalMs: 2_000, place: () => createInstallation(folder, null) },
    { name: "embedded, existing folder", goalMs: 800, place: async () => existing },
  ];
  await startOnce({ folder }, "first", existing);
  if (postgres === null) return embedded;
  const migrated = await createInstallation(folder, postgres);
  await startOnce({ folder }, "first", migrated);
  return [
    ...embedded,
    { name: "PostgreSQL, empty database", goalMs: null, place: () => createInstallation(folder, postgres) },
    { name: "PostgreSQL, existing database", goalMs: null, place: async () => migrated },
  ];
};

const startOnce = async (
  { folder }: Pick<Workshop, "folder">,
  name: string,
  { env }: Installation,
): Promise<Start> => {
  const port = await freePort();
  const begun = performance.now();
  const starting = startSubject({
    name: `${name} ${begun}`,
    folder,
    file: "src/cli/main.ts",
    words: ["serve"],
    env: { ...env, PORT: String(port) },
    prefix: onAllCores,
  });
  const [subject, readyMs] = await Promise.all([starting, readyAfter(port, begun)]);
  const cpuMs = cpuUs(processTree(subject.serverPid)) / 1_000;
  await Bun.sleep(idleMs);
  const memory = memoryOf(subject);
  await subject.stop();
  return { readyMs, cpuMs, ...memory };
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
    // Nobody listens yet.
    return false;
  }
};

const memoryOf = ({ serverPid }: Subject) => ({
  serverBytes: residentBytes([serverPid]),
  databaseBytes: residentBytes(processTree(serverPid).slice(1)),
});

const freePort = async (): Promise<number> => {
  const probe = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(null) });
  const port = probe.port ?? 0;
  await probe.stop(true);
  return port;
};

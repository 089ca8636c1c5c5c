import { statSync } from "node:fs";
import { join } from "node:path";
import { programIn } from "../../driver/program.ts";
import { fillLog } from "../activity/fill-log.ts";
import { openMeasuredLog } from "../activity/measured-log.ts";
import { onAllCores } from "../measure/cores.ts";
import { quantile } from "../measure/interleave.ts";
import { processTree, residentBytes } from "../measure/processes.ts";
import { decimal, megabytes } from "../report.ts";
import { createInstallation, type Installation, startAtrium } from "../subjects/atrium.ts";
import type { MeasuredPostgres } from "../subjects/measured-postgres.ts";
import type { Subject } from "../subjects/start-subject.ts";
import { inWorkshop, type Workshop } from "../subjects/workshop.ts";
import type { BenchLine } from "./bench-line.ts";

/** A backup of a large activity log while the server serves, and its restore, embedded and on PostgreSQL. */
export const backupLine: BenchLine = {
  name: "backup",
  run: ({ rows }) =>
    inWorkshop(async (workshop) => {
      const found: string[][] = [];
      for (const place of [null, workshop.postgres ?? []].flat())
        found.push(...(await measure(workshop, { place, rows })));
      return {
        title: `A backup of an installation with ${decimal(rows)} activities, and its restore`,
        method:
          "One run each on all cores. Memory is what the processes hold resident at most, PostgreSQL's left out: the server with all " +
          "that it starts, and the command. Beside the backup a signed-in person asks 20 times a second who he is.",
        columns: ["", "s", "rows/s", "file", "server's memory", "command's", "p50 ms", "p99 ms"],
        rows: found,
      };
    }),
};

type Size = { place: MeasuredPostgres | null; rows: number };

const measure = async ({ folder, keep }: Workshop, { place, rows }: Size): Promise<string[][]> => {
  const installation = await createInstallation(folder, place);
  const log = await openMeasuredLog(installation);
  await fillLog(log, rows);
  await log.close();
  const kind = place === null ? "embedded" : "PostgreSQL";
  const server = keep(
    await startAtrium({ name: `backup-${kind}`, folder, installation, prefix: onAllCores }),
  );
  const file = join(folder, `${kind}.tar.zst`);
  const load = askEvery(server);
  const quiet = await load.during(() => Bun.sleep(10_000));
  const watched = watch(() => processTree(server.serverPid));
  const beside = await load.during(() => atrium(["backup", "--out", file], installation.env));
  const serverBytes = watched.stop();
  await server.stop();
  const restored = await restore({ file, folder, place });
  const size = megabytes(statSync(file).size);
  return [
    [`${kind}, nothing else`, "", "", "", "", "", ...times(quiet.waitsMs)],
    [
      `${kind}, backup`,
      ...speed(beside.outcome.ms, rows),
      size,
      megabytes(serverBytes),
      megabytes(beside.outcome.bytes),
      ...times(beside.waitsMs),
    ],
    [`${kind}, restore`, ...speed(restored.ms, rows), size, "", megabytes(restored.bytes), "", ""],
  ];
};

const restore = async ({ file, folder, place }: Pick<Size, "place"> & { file: string; folder: string }) => {
  const { env }: Installation = await createInstallation(folder, place);
  return atrium(["restore", file, "--drop-secrets", "--yes"], env);
};

const speed = (ms: number, rows: number): string[] => [decimal(ms / 1000, 1), decimal((rows / ms) * 1000)];

const times = (waitsMs: number[]): string[] => [
  decimal(quantile(waitsMs, 0.5), 1),
  decimal(quantile(waitsMs, 0.99), 1),
];

/** Runs a command to its end; tells how long it took and what it and its processes held at most. */
const atrium = async (
  words: string[],
  env: Record<string, string>,
): Promise<{ ms: number; bytes: number }> => {
  const begun = performance.now();
  const child = Bun.spawn([...onAllCores, ...programIn(), ...words], {
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...env },
    stdout: "ignore",
    stderr: "inherit",
  });
  const watched = watch(() => processTree(child.pid));
  const code = await child.exited;
  const bytes = watched.stop();
  if (code !== 0) throw new Error(`atrium ${words[0] ?? ""} ended with ${code}`);
  return { ms: performance.now() - begun, bytes };
};

const watch = (pids: () => number[]): { stop(): number } => {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, residentBytes(pids()));
  }, 200);
  return {
    stop: () => {
      clearInterval(timer);
      return most;
    },
  };
};

const everyMs = 50;

/** A person who asks at a steady pace, whether or not answers come. */
const askEvery = ({ url, cookie }: Subject) => ({
  during: async <T>(work: () => Promise<T>): Promise<{ waitsMs: number[]; outcome: T }> => {
    const waitsMs: number[] = [];
    const asked: Promise<void>[] = [];
    const ask = async (): Promise<void> => {
      const begun = performance.now();
      const answer = await fetch(`${url}/api/auth/user`, { headers: { cookie: cookie ?? "" } });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`a request was answered with ${answer.status}`);
      waitsMs.push(performance.now() - begun);
    };
    const failures: unknown[] = [];
    const recorded = () => ask().catch((error) => void failures.push(error));
    const timer = setInterval(() => asked.push(recorded()), everyMs);
    const outcome = await work().finally(() => clearInterval(timer));
    await Promise.all(asked);
    if (failures.length > 0) throw failures[0];
    return { waitsMs, outcome };
  },
});

import type { BenchSettings } from "../lines/bench-line.ts";
import { median } from "../measure/interleave.ts";
import { cpuUs, residentBytes } from "../measure/processes.ts";
import { decimal, megabytes, type Report } from "../report.ts";
import { type Installation, startAtrium } from "../subjects/atrium.ts";
import type { Subject } from "../subjects/start-subject.ts";
import type { Workshop } from "../subjects/workshop.ts";

type ExportBench = Pick<Workshop, "folder" | "keep"> & {
  installation: Installation;
  settings: BenchSettings;
};

const files = [
  { name: "CSV, newest", query: "format=csv", goalMs: 30 },
  { name: "CSV, failures", query: "format=csv&status=failure", goalMs: 30 },
  { name: "CSV, rows that hold a word of 2 %", query: "format=csv&search=timeout", goalMs: null },
  { name: "NDJSON, newest", query: "format=ndjson", goalMs: null },
];
const firstByteGoalMs = 5;
const exportsOfARound = 20;

type Exported = { firstMs: number; wholeMs: number; bytes: number };

/** What it takes to export 10,000 rows of the installation's log over HTTP, and what the server's memory does. */
export const exportReport = async (bench: ExportBench): Promise<Report> => {
  const { folder, keep, installation, settings } = bench;
  const subject = keep(await startAtrium({ name: "Atrium for exports", folder, installation }));
  const rows: string[][] = [];
  for (const { name, query, goalMs } of files) {
    const url = `${subject.url}/api/admin/activity/export?${query}`;
    for (let warm = 0; warm < exportsOfARound; warm += 1) await exportOnce(subject, url);
    const pids = [subject.serverPid, ...subject.databasePids()];
    const before = { cpuUs: cpuUs(pids), bytes: residentBytes([subject.serverPid]) };
    const exported: Exported[] = [];
    const count = exportsOfARound * settings.rounds;
    for (let n = 0; n < count; n += 1) exported.push(await exportOnce(subject, url));
    const middle = (value: (file: Exported) => number) => median(exported.map(value));
    rows.push([
      name,
      decimal(
        middle(({ wholeMs }) => wholeMs),
        1,
      ),
      goalMs === null ? "" : `≤ ${goalMs}`,
      decimal(
        middle(({ firstMs }) => firstMs),
        1,
      ),
      `≤ ${firstByteGoalMs}`,
      decimal((cpuUs(pids) - before.cpuUs) / 1_000 / count, 1),
      megabytes(middle(({ bytes }) => bytes)),
      megabytes(residentBytes([subject.serverPid]) - before.bytes),
    ]);
  }
  await subject.stop();
  return {
    title: "Exporting 10,000 of them over HTTP",
    method:
      `Medians of ${exportsOfARound * settings.rounds} exports, one at a time. Server and database share one core. CPU ` +
      "is processor time of both for one file; growth is that of the server's resident memory over all of them.",
    columns: ["", "whole ms", "goal", "first byte ms", "goal", "CPU ms", "file", "growth"],
    rows,
  };
};

const exportOnce = async ({ cookie }: Subject, url: string): Promise<Exported> => {
  const begun = performance.now();
  const response = await fetch(url, { headers: { cookie: cookie ?? "" } });
  if (response.status !== 200 || response.body === null) throw new Error(`an export: ${response.status}`);
  let firstMs = Number.NaN;
  let bytes = 0;
  for await (const piece of response.body) {
    if (bytes === 0) firstMs = performance.now() - begun;
    bytes += piece.byteLength;
  }
  return { firstMs, wholeMs: performance.now() - begun, bytes };
};

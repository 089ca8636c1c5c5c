import { until } from "#api/testing/until.ts";
import { asAdmin, type PluginAnswer, type PluginCaller } from "../../driver/plugin-caller.ts";
import { notesKey, notesPublisher, packNotes } from "../../fixtures/plugins/notes-plugin.ts";
import { onAllCores } from "../measure/cores.ts";
import { median, quantile } from "../measure/interleave.ts";
import { decimal } from "../report.ts";
import { createInstallation, startAtrium } from "../subjects/atrium.ts";
import { inWorkshop } from "../subjects/workshop.ts";
import type { BenchLine } from "./bench-line.ts";

const [hanging, neighbour] = ["hanging-notes", "quiet-notes"];
/** A fourth one within a minute would switch the plugin off. */
const hangs = 3;
const calmMs = 600;

/** What one round found, each number under the name of its row. */
type Round = Record<string, number>;
type Row = { name: string; unit: string; goal: number };

const rows: Row[] = [
  { name: "enable", unit: "ms", goal: 1_000 },
  { name: "disable", unit: "ms", goal: 1_000 },
  { name: "reload with another version", unit: "ms", goal: 1_000 },
  { name: "hung until running again, slowest of a round", unit: "ms", goal: 2_000 },
  { name: "other routes, p99 in calm", unit: "ms", goal: Number.NaN },
  { name: "other routes, p99 while a plugin hangs", unit: "ms", goal: Number.NaN },
  { name: "the same, × calm", unit: "×", goal: 2 },
  { name: "calm against calm, ×", unit: "×", goal: Number.NaN },
];

/** A plugin's life in a running server: how long changes take, and what others notice of one that hangs. */
export const pluginLifeLine: BenchLine = {
  name: "plugin-life",
  run: ({ rounds }) =>
    inWorkshop(async ({ folder, keep }) => {
      const installation = await createInstallation(folder, null);
      const { url, cookie } = keep(
        await startAtrium({ name: "plugin-life", folder, installation, prefix: onAllCores }),
      );
      const stage = { url, cookie: cookie ?? "", admin: asAdmin(url, cookie ?? "") };
      must(await stage.admin.ask("POST", "/api/admin/plugin-keys", notesKey));
      for (const name of [hanging, neighbour])
        must(await stage.admin.upload(await packNotes(name, "1.0.0", notesPublisher.privateKey)));
      must(await stage.admin.toggle(neighbour, true));
      await measure(stage, 0);
      const results: Round[] = [];
      for (let round = 1; round <= rounds; round += 1) results.push(await measure(stage, round));
      return {
        title: "A plugin's life in a server",
        method:
          `Medians of ${rounds} rounds, embedded database, over HTTP. ${hangs} hangs a round, and between them calm of as ` +
          "long; others are /api/health, /api/auth/user and a second plugin's route, two callers each. Calm against calm " +
          "tells how much the machine alone does.",
        columns: ["", "measured", "least", "most", "goal"],
        rows: rows.map(({ name, unit, goal }) => {
          const values = results.map((result) => result[name] ?? Number.NaN);
          return [
            name,
            `${decimal(median(values), 1)} ${unit}`,
            decimal(Math.min(...values), 1),
            decimal(Math.max(...values), 1),
            Number.isNaN(goal) ? "" : `≤ ${decimal(goal)}`,
          ];
        }),
      };
    }),
};

type Stage = { url: string; cookie: string; admin: PluginCaller };

const measure = async (stage: Stage, round: number): Promise<Round> => {
  const { url, admin } = stage;
  const enableMs = await msOf(() => admin.toggle(hanging, true));
  const zip = await packNotes(hanging, `1.${round + 1}.0`, notesPublisher.privateKey);
  const reloadMs = await msOf(() => admin.upload(zip));
  const backMs: number[] = [];
  const [calm, disturbed, control]: [number[], number[], number[]] = [[], [], []];
  const hang = async (): Promise<void> => {
    const begun = performance.now();
    await fetch(`${url}/api/${hanging}/hang`);
    await until(async () => (await fetch(`${url}/api/${hanging}/state`)).status === 200);
    backMs.push(performance.now() - begun);
  };
  for (let time = 0; time < hangs; time += 1) {
    calm.push(...(await waitsDuring(stage, () => Bun.sleep(calmMs))));
    disturbed.push(...(await waitsDuring(stage, hang)));
    control.push(...(await waitsDuring(stage, () => Bun.sleep(calmMs))));
  }
  const disableMs = await msOf(() => admin.toggle(hanging, false));
  const [calmP99, disturbedP99] = [quantile(calm, 0.99), quantile(disturbed, 0.99)];
  const back = Math.max(...backMs);
  const ratios = [disturbedP99 / calmP99, quantile(control, 0.99) / calmP99];
  const measured = [enableMs, disableMs, reloadMs, back, calmP99, disturbedP99, ...ratios];
  return Object.fromEntries(rows.map(({ name }, index) => [name, measured[index] ?? Number.NaN]));
};

/** How long each call of the others took meanwhile, in milliseconds. */
const waitsDuring = async ({ url, cookie }: Stage, work: () => Promise<unknown>): Promise<number[]> => {
  const paths = ["/api/health", "/api/auth/user", `/api/${neighbour}/state`];
  const waits: number[] = [];
  let isOver = false;
  const ask = async (path: string): Promise<void> => {
    while (!isOver) {
      const begun = performance.now();
      const { status } = await fetch(`${url}${path}`, { headers: { cookie } });
      if (status !== 200) throw new Error(`${path} answered ${status}`);
      waits.push(performance.now() - begun);
      await Bun.sleep(2);
    }
  };
  const asking = Promise.all([...paths, ...paths].map(ask));
  await work();
  isOver = true;
  await asking;
  return waits;
};

const msOf = async (call: () => Promise<PluginAnswer>): Promise<number> => {
  const begun = performance.now();
  must(await call());
  return performance.now() - begun;
};

const must = ({ status, body }: PluginAnswer): void => {
  if (status >= 300) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
};

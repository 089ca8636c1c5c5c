import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { sized } from "#api/testing/size.ts";
import { until } from "#api/testing/until.ts";
import { processTree } from "../bench/measure/processes.ts";
import { type DataPlace, dataPlaces } from "../driver/databases.ts";
import { isAlive } from "../driver/is-alive.ts";
import { asOperator, type PluginCaller } from "../driver/plugin-caller.ts";
import { readRows } from "../driver/read-rows.ts";
import { removeFolder, type ServerProcess, startServer, temporaryFolder } from "../driver/start-server.ts";
import { notesKey } from "../fixtures/plugins/notes-plugin.ts";
import { absent, actOnPlugin, newJournal, type PluginJournal, type PluginState } from "./plugin-acts.ts";
import { agePackages, misfits } from "./plugin-rows.ts";

// Acts are chosen at random: at the small size a kill meets some of them, and other ones in each run; the full size is
// what meets all of them.
const kills = { embedded: sized(8, 140), postgres: sized(4, 60) };
const names = ["alpha-notes", "beta-notes", "gamma-notes"];
const readyMs = 10_000;
/** An act takes some tens to some hundreds of milliseconds: a life ends in the first one, or after a dozen. */
const longestLifeMs = 2_000;

/** Kills the server at a moment that no one foresees: the process alone, or with all that it started. */
const liveAndDie = async (
  server: ServerProcess,
  journals: PluginJournal[],
  isAlone: boolean,
): Promise<void> => {
  const caller = asOperator(server.dataDir);
  let isOver = false;
  const acting = Promise.all(journals.map((journal) => actOnPlugin(caller, journal, () => isOver)));
  await Bun.sleep(Math.random() * longestLifeMs);
  const family = processTree(server.pid);
  isOver = true;
  await (isAlone ? server.stop("SIGKILL") : server.killGroup());
  await acting;
  // Nothing of a plugin continues without its server.
  await until(() => !family.some(isAlive));
};

/** What a plugin answers once it runs; meanwhile it is told that it will, and never anything of another version. */
const runningState = async (caller: PluginCaller, name: string): Promise<Record<string, unknown>> => {
  let found: Record<string, unknown> = {};
  await until(async () => {
    const { status, body } = await caller.ask("GET", `/api/${name}/state`);
    found = body;
    expect([200, 503]).toContain(status);
    return status === 200;
  }, readyMs);
  return found;
};

/** How a plugin stands by the word of the server; `mark` is unknown of one that does not run. */
const observe = async (
  caller: PluginCaller,
  name: string,
): Promise<Omit<PluginState, "mark"> & { mark?: unknown }> => {
  const details = await caller.look(name);
  if (details?.enabled === true) {
    const { version, greeting, mark } = await runningState(caller, name);
    expect(version).toBe(details.version);
    const { state, error, replicas } = (await caller.look(name)) ?? {};
    expect({ state, error, replicas }).toMatchObject({ state: "running", error: null });
    return { version: String(version), isEnabled: true, greeting: String(greeting), mark };
  }
  expect((await caller.ask("GET", `/api/${name}/state`)).status).toBe(404);
  if (details === null) return absent;
  const { body } = await caller.ask("GET", `/api/plugins/${name}/settings`);
  const { greeting } = Object(Object(body.data).values);
  return { version: String(details.version), isEnabled: false, greeting };
};

/** Takes in how the plugin stands, which is as was acknowledged or as was asked for last. */
const catchUp = async (caller: PluginCaller, journal: PluginJournal): Promise<void> => {
  const seen = await observe(caller, journal.name);
  const ways = [...journal.mayBe, journal.state];
  const way = ways.find(
    ({ version, isEnabled, greeting, mark }) =>
      version === seen.version &&
      isEnabled === seen.isEnabled &&
      (version === null || greeting === seen.greeting) &&
      (!isEnabled || mark === seen.mark),
  );
  expect({ plugin: journal.name, seen, ways: way === undefined ? ways : [] }).toEqual({
    plugin: journal.name,
    seen,
    ways: [],
  });
  journal.state = way ?? journal.state;
  journal.mayBe = [];
};

/** What lies in the cache besides the packages of kept versions. */
const strayFiles = async (caller: PluginCaller, dataDir: string): Promise<string[]> => {
  const folder = join(dataDir, "plugins");
  const found = await Promise.all(
    (existsSync(folder) ? readdirSync(folder) : []).map(async (name) => {
      const details = name.startsWith(".") ? null : await caller.look(name);
      const kept: { version: string; sha256: string }[] = Array.isArray(details?.versions)
        ? details.versions
        : [];
      const ours = kept.map(({ version, sha256 }) => `${version}-${sha256.slice(0, 12)}.zip`);
      if (ours.length === 0) return [name];
      return readdirSync(join(folder, name)).filter((entry) => !ours.includes(entry));
    }),
  );
  return found.flat();
};

const checkLife = async (server: ServerProcess, journals: PluginJournal[]): Promise<void> => {
  const caller = asOperator(server.dataDir);
  expect(server.startMs).toBeLessThan(readyMs);
  expect((await fetch(`${server.url}/api/ready`)).status).toBe(200);
  await Promise.all(journals.map((journal) => catchUp(caller, journal)));
  await until(async () => (await strayFiles(caller, server.dataDir)).length === 0);
};

/** Starts the server again on packages that are old by now, and looks at the rows until nothing is left over. */
const checkRows = async (
  place: { dataDir: string; env: Record<string, string> },
  journals: PluginJournal[],
) => {
  await readRows(place, agePackages);
  let wrong: string[] = [];
  for (let tries = 0; tries < 3; tries += 1) {
    const server = await startServer(place);
    await checkLife(server, journals);
    await server.stop();
    wrong = await readRows(place, (db) => misfits(db, journals));
    if (wrong.length === 0) break;
  }
  expect(wrong).toEqual([]);
};

const sumDone = (journals: PluginJournal[]): Map<string, number> => {
  const all = new Map<string, number>();
  for (const { done } of journals) for (const [act, times] of done) all.set(act, (all.get(act) ?? 0) + times);
  return all;
};

const killOften = async (place: DataPlace): Promise<void> => {
  const [env, dataDir] = [await place.env(), temporaryFolder()];
  const journals = names.map(newJournal);
  const starts: number[] = [];
  let open = 0;
  for (let life = 0; life < kills[place.name]; life += 1) {
    const server = await startServer({ dataDir, env, hasOwnGroup: true });
    starts.push(server.startMs);
    if (life === 0) await asOperator(server.dataDir).ask("POST", "/api/admin/plugin-keys", notesKey);
    await checkLife(server, journals);
    await liveAndDie(server, journals, life % 2 === 0);
    open += journals.filter(({ mayBe }) => mayBe.length > 0).length;
  }
  await checkRows({ dataDir, env }, journals);
  removeFolder(dataDir);
  const done = sumDone(journals);
  const acts = [...done].map(([act, times]) => `${times} × ${act}`).join(", ");
  console.log(
    `${place.name}: ${acts}; ${open} cut short; slowest start ${Math.round(Math.max(...starts))} ms`,
  );
  expect(journals.flatMap(({ refused }) => refused)).toEqual([]);
  expect(open).toBeGreaterThan(kills[place.name]);
};

describe("P7: kill -9 while plugins are uploaded, enabled, disabled, updated, rolled back and deleted", () => {
  for (const place of dataPlaces()) {
    afterAll(() => place.close());
    // Side by side: each waits most of its time.
    test.concurrent(
      `${place.name}: after each of ${kills[place.name]} kills every plugin stands as was acknowledged or asked for last, whole, and runs that version`,
      () => killOften(place),
      sized(300_000, 3_600_000),
    );
  }
});

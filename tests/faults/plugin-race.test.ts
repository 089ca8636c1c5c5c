import { beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { sized } from "#api/testing/size.ts";
import { keptVersions } from "#contract/plugins.ts";
import { serverForFile } from "../driver/for-file.ts";
import { signedInPeople } from "../driver/people.ts";
import { asAdmin, type PluginAnswer } from "../driver/plugin-caller.ts";
import { notesKey, notesPublisher, packNotes } from "../fixtures/plugins/notes-plugin.ts";

setDefaultTimeout(sized(120_000, 1_200_000));

const name = "raced-notes";
const calls = 20;
const rounds = sized(2, 20);

let versions = 0;

const server = await serverForFile();
const admin = asAdmin(server.url, (await signedInPeople(server)).admin);
expect((await admin.ask("POST", "/api/admin/plugin-keys", notesKey)).status).toBe(201);
beforeEach(async () => {
  if ((await admin.look(name)) === null) await uploadNext();
});

const packNext = (): Promise<Uint8Array> => {
  versions += 1;
  return packNotes(name, `1.${versions}.0`, notesPublisher.privateKey);
};
const uploadNext = async (): Promise<PluginAnswer> => admin.upload(await packNext());

/** Makes all calls at once; their answers in the order in which they came. */
const race = async (all: (() => Promise<PluginAnswer>)[]): Promise<PluginAnswer[]> => {
  const answers: PluginAnswer[] = [];
  await Promise.all(all.map(async (call) => answers.push(await call())));
  return answers;
};
const times = <T>(make: (at: number) => T): T[] => Array.from({ length: calls }, (_, at) => make(at));
const statusesOf = (answers: PluginAnswer[]): string[] =>
  answers.map(({ status, body }) => (status < 300 ? String(status) : `${status} ${body.code}`));

/** The plugin stands as the last answer says that granted something, and its routes with it. */
const expectLastWins = async (answers: PluginAnswer[]): Promise<void> => {
  const last = answers.findLast(({ status }) => status < 300);
  if (last === undefined) throw new Error("nothing was acknowledged");
  const stands = await admin.look(name);
  const route = await admin.ask("GET", `/api/${name}/state`);
  if (last.body.data === undefined) {
    expect(stands).toBeNull();
    expect(route.status).toBe(404);
    return;
  }
  const { enabled, version } = Object(last.body.data);
  expect(stands).toMatchObject({ enabled, version, state: enabled ? "running" : "disabled" });
  expect(route.status).toBe(enabled ? 200 : 404);
  if (enabled) expect(route.body.version).toBe(version);
};

describe("P8: of twenty simultaneous requests about one plugin, each is answered in turn and the last acknowledged one counts:", () => {
  test("switching it on and off", async () => {
    for (let round = 0; round < rounds; round += 1) {
      const answers = await race(times(() => () => admin.toggle(name, Math.random() < 0.5)));
      expect(new Set(statusesOf(answers))).toEqual(new Set(["200"]));
      await expectLastWins(answers);
    }
  });

  test("uploads of other versions, while it runs", async () => {
    for (let round = 0; round < rounds; round += 1) {
      expect((await admin.toggle(name, true)).status).toBe(200);
      const zips = await Promise.all(times(() => packNext()));
      const shuffled = zips.sort(() => Math.random() - 0.5);
      const answers = await race(shuffled.map((zip) => () => admin.upload(zip)));
      for (const status of statusesOf(answers)) expect(["201", "409 PLUGIN_EXISTS"]).toContain(status);
      await expectLastWins(answers);
      const kept = Object(await admin.look(name)).versions;
      expect(kept.length).toBeLessThanOrEqual(keptVersions);
    }
  });

  test("deletions", async () => {
    for (let round = 0; round < rounds; round += 1) {
      if ((await admin.look(name)) === null) await uploadNext();
      const answers = await race(times(() => () => admin.remove(name)));
      const statuses = statusesOf(answers);
      expect(statuses.filter((status) => status === "200")).toHaveLength(1);
      expect(statuses.filter((status) => status === "404 PLUGIN_NOT_FOUND")).toHaveLength(calls - 1);
      await expectLastWins(answers);
    }
  });

  test("all of these mixed", async () => {
    for (let round = 0; round < rounds; round += 1) {
      const zips = await Promise.all(times(() => packNext()));
      const kinds = [
        () => admin.toggle(name, true),
        () => admin.toggle(name, false),
        (at: number) => admin.upload(zips[at] ?? new Uint8Array()),
        () => admin.remove(name, { retainData: true }),
      ];
      const choose = () => kinds[Math.floor(Math.random() * kinds.length)] ?? kinds[0];
      const answers = await race(times((at) => () => choose()?.(at) ?? uploadNext()));
      const allowed = ["200", "201", "404 PLUGIN_NOT_FOUND", "409 PLUGIN_EXISTS", "409 CONFLICT"];
      for (const status of statusesOf(answers)) expect(allowed).toContain(status);
      if (answers.some(({ status }) => status < 300)) await expectLastWins(answers);
    }
  });
});

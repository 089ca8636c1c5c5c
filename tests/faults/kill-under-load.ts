import { expect } from "bun:test";
import { and, eq, inArray } from "drizzle-orm";
import { controlSocketIn } from "#api/config.ts";
import type { Database } from "#api/core/database.ts";
import {
  activities,
  activityKinds,
  contactMessages,
  mails,
  pendingRegistrations,
  plugins,
  settingChanges,
  settings,
  tokens,
  users,
} from "#api/db/schema.ts";
import { sized } from "#api/testing/size.ts";
import type { DataPlace } from "../driver/databases.ts";
import { readRows } from "../driver/read-rows.ts";
import { removeFolder, type ServerProcess, startServer, temporaryFolder } from "../driver/start-server.ts";
import { emptyJournal, type Journal, mixedLoad, toggledPlugin, toggleLoad } from "./mixed-load.ts";

/**
 * How often its server is killed, what is registered meanwhile in all, and how soon it is ready again: 95 % of the starts of
 * a run at full size, every start of a small one, which has too few for a percentile.
 */
export type Lives = { kills: number; registrations: number; readyMs: number };

/**
 * Has people of all kinds act at a server in this place, kills it again and again in the middle of that, and compares what
 * is there in the end with what was acknowledged.
 */
export const loseNothing = async (
  place: DataPlace,
  { kills, registrations, readyMs }: Lives,
): Promise<void> => {
  const env = await place.env();
  const dataDir = temporaryFolder();
  const journal = emptyJournal();
  const starts: number[] = [];
  for (const share of sharesOf(kills, registrations)) {
    const server = await startServer({ dataDir, env });
    starts.push(server.startMs);
    const clients = Promise.all([
      ...Array.from({ length: 4 }, () => mixedLoad(server, journal)),
      toggleLoad(server, journal),
    ]);
    const target = journal.registered.length + share;
    const deadline = performance.now() + 20_000;
    while (journal.registered.length < target && performance.now() < deadline) await Bun.sleep(1);
    await server.stop("SIGKILL");
    await clients;
  }
  const { refused, ...done } = journal;
  expect(refused).toEqual([]);
  const last = await startServer({ dataDir, env });
  const proof = await proveLog(last);
  await last.stop();
  const rows = await readRows({ dataDir, env }, async (db) => ({
    users: new Set((await db.select().from(users)).map((row) => row.email)),
    pending: new Set((await db.select().from(pendingRegistrations)).map((row) => row.email)),
    mails: await db.select({ to: mails.recipient, subject: mails.subject }).from(mails),
    messages: (await db.select().from(contactMessages)).map((row) => row.message),
    added: await db.select().from(activities).where(eq(activities.action, "Added a user")),
    links: await db
      .select({ userId: tokens.userId, email: users.email })
      .from(tokens)
      .innerJoin(users, eq(users.id, tokens.userId)),
    misfits: await settingMisfits(db, journal),
    toggleMisfits: await toggleMisfits(db, journal),
  }));
  expect([...rows.misfits, ...rows.toggleMisfits]).toEqual([]);
  // What was changed by the operator is in the log, and nothing stands there that was not changed.
  const added = [...rows.users].filter((email) => email.startsWith("added-"));
  const recorded = rows.added.map(({ description }) => description.replace(" as user", ""));
  expect(journal.added.filter((email) => !recorded.includes(email))).toEqual([]);
  expect(recorded.sort()).toEqual(added.sort());
  expect(proof).toMatchObject({ fault: null, isComplete: true });
  const mailedAbout = (subject: string) =>
    rows.mails.filter((mail) => mail.subject === subject).map(({ to }) => to);
  // Whom the operator adds gets no mail.
  const known = new Set([...rows.users, ...rows.pending].filter((email) => !added.includes(email)));
  expect(journal.registered.filter((email) => !known.has(email))).toEqual([]);
  expect(journal.verified.filter((email) => !rows.users.has(email))).toEqual([]);
  // No one without their mail, no mail without its registration, no one both waiting and verified.
  const verifications = mailedAbout("Confirm your email address");
  const mailed = new Set(verifications);
  expect([...known].filter((email) => !mailed.has(email))).toEqual([]);
  expect(rows.mails.filter(({ to }) => !known.has(to))).toEqual([]);
  expect(verifications.length).toBe(mailed.size);
  expect([...rows.users].filter((email) => rows.pending.has(email))).toEqual([]);
  // No new password without its notice, and no link left that could change it again.
  const notices = mailedAbout("Your password was changed");
  expect(journal.reset.filter((email) => !notices.includes(email))).toEqual([]);
  expect(rows.links.filter(({ email }) => notices.includes(email))).toEqual([]);
  const messages = new Set(rows.messages);
  expect(journal.contacted.filter((message) => !messages.has(message))).toEqual([]);
  expect(rows.messages.length).toBe(messages.size);
  // The first start comes after no kill: on a busy machine it tells what a start takes there.
  const mostReadyMs = Math.max(readyMs, 4 * (starts[0] ?? 0));
  const late = starts.filter((startMs) => startMs > mostReadyMs);
  console.log(
    `${place.name}: ${journal.registered.length} registrations, ${journal.verified.length} verifications, ` +
      `${journal.reset.length} resets, ${journal.contacted.length} messages, ${journal.added.length} added, ` +
      `${journal.saved.length} settings, ${journal.toggled.length} switches, slowest start ${Math.round(Math.max(...starts))} ms`,
  );
  expect(journal.registered.length).toBeGreaterThanOrEqual(0.9 * registrations);
  for (const acts of Object.values(done)) expect(acts.length).toBeGreaterThan(registrations / 50);
  expect(late.length).toBeLessThan(sized(1, starts.length * 0.05));
  removeFolder(dataDir);
};

/**
 * After how many acknowledged registrations each life ends: from hardly any to twice the mean, in an order that no one
 * foresees, and so many in all.
 */
const sharesOf = (lives: number, registrations: number): number[] => {
  const upTo = (life: number) => Math.round(registrations * (life / lives) ** 2);
  const shares = Array.from({ length: lives }, (_, life) => ({
    share: upTo(life + 1) - upTo(life),
    place: Math.random(),
  }));
  return shares.sort((a, b) => a.place - b.place).map(({ share }) => share);
};

/** What the server says of its activity log: the last slice of the proof. */
const proveLog = async ({ dataDir }: ServerProcess): Promise<unknown> => {
  const answer = await fetch("http://localhost/api/admin/activity/verify", {
    unix: controlSocketIn(dataDir),
  });
  const { data }: { data: unknown } = await answer.json();
  return data;
};

/** What is wrong between saved settings, their history and the activity log. */
const settingMisfits = async (db: Database, journal: Journal): Promise<string[]> => {
  const changes = await db.select().from(settingChanges).orderBy(settingChanges.id);
  const messages = changes.flatMap(({ fields }) =>
    fields.flatMap((field) =>
      field.path === "rateLimiting.message" && !field.isSecret ? [String(field.after)] : [],
    ),
  );
  const [row] = await db.select().from(settings).where(eq(settings.section, "core"));
  const recorded = await db.select().from(activities).where(eq(activities.action, "Changed core settings"));
  return [
    ...journal.saved
      .filter((message) => !messages.includes(message))
      .map((one) => `${one} is not in the history`),
    ...(new Set(messages).size === messages.length ? [] : ["a change is in the history twice"]),
    ...(messages.length === 0 || JSON.stringify(row?.value).includes(messages.at(-1) ?? "")
      ? []
      : ["the last change is not in force"]),
    ...(recorded.length === changes.length
      ? []
      : [`${changes.length} changes are recorded ${recorded.length} times`]),
  ];
};

/** What is wrong between the switch of a plugin, what was acknowledged of it, and the activity log. */
const toggleMisfits = async (db: Database, journal: Journal): Promise<string[]> => {
  const recorded = await db
    .select({ type: activityKinds.type })
    .from(activities)
    .innerJoin(activityKinds, eq(activityKinds.id, activities.kindId))
    .where(and(eq(activityKinds.pluginName, toggledPlugin), inArray(activityKinds.type, [...toggleTypes])))
    .orderBy(activities.id);
  const [row] = await db.select().from(plugins).where(eq(plugins.name, toggledPlugin));
  const states = recorded.map(({ type }) => type === "plugin_enabled");
  return [
    ...(states.every((isOn, at) => isOn === (at % 2 === 0))
      ? []
      : ["a switch is recorded twice, or not at all"]),
    ...(states.length >= journal.toggled.length ? [] : ["a switch that was acknowledged is not recorded"]),
    ...(row?.isEnabled === (states.at(-1) ?? false) ? [] : ["the plugin is not as the last switch left it"]),
  ];
};

const toggleTypes = ["plugin_enabled", "plugin_disabled"] as const;

import { expect, test } from "bun:test";
import type { BackupHealth } from "#api/modules/backups/contract.ts";
import type { SystemInfo, SystemStatus } from "#api/modules/system/contract.ts";
import { siteOf, unsetSite } from "#contract/site.ts";
import { plugin } from "../../../../tests/e2e/shots/many-plugins.ts";
import { attentionItems } from "./overview-page.tsx";
import { attentionTexts as texts } from "./texts.ts";

const healthy: SystemInfo = {
  version: "0.1.0",
  startedAt: "2030-01-01T00:00:00.000Z",
  uptimeS: 60,
  node: { rssBytes: 90_000_000, cpus: 2 },
  database: { kind: "embedded", version: "18.0", sizeBytes: 9_000_000, latencyMs: 0.4 },
  mail: { transport: "smtp", waiting: 0, dead: 0 },
  users: { total: 12, admins: 2, pending: 1 },
  appUrl: "https://atrium.example",
};

const service = { server: null, source: null, since: "2030-01-01T00:00:00.000Z", reason: null } as const;
const status: SystemStatus = {
  firewall: {
    installed: false,
    enabled: false,
    masterSwitchEnabled: false,
    rateLimitingEnabled: false,
    developmentModeEnabled: false,
  },
  redis: { ...service, state: "up" },
  storage: { ...service, state: "unused", home: "database", inDatabase: 0, inR2: 0, migration: null },
  limiter: { isEnabled: true, store: "redis" },
  cors: { origins: [] },
  isSafeMode: false,
  visitor: {
    ip: "192.0.2.1",
    peer: "192.0.2.1",
    isBehindTrustedProxy: false,
    trustedProxies: [],
    warning: null,
  },
};

const items = (change: Partial<SystemStatus>) =>
  attentionItems({ info: healthy, status: { ...status, ...change }, unread: 0, plugins: [], backups: null });
const titles = (info: SystemInfo) =>
  attentionItems({ info, status, unread: 0, plugins: [], backups: null }).map(({ title }) => title);

test("a healthy server asks for nothing", () => {
  expect(attentionItems({ info: healthy, status, unread: 0, plugins: [], backups: null })).toEqual([]);
});

test("emails that could not be delivered come first, and a missing mail server is named with its remedy", () => {
  const info: SystemInfo = { ...healthy, mail: { transport: "outbox", waiting: 0, dead: 3 } };
  expect(titles(info)).toEqual([texts.deadMails(3), texts.noSmtp]);
  expect(attentionItems({ info, status, unread: 0, plugins: [], backups: null })[1]?.remedy).toContain(
    "SMTP_URL",
  );
});

test("plain http is fine on this very machine and nowhere else", () => {
  expect(titles({ ...healthy, appUrl: "http://localhost:3000" })).toEqual([]);
  expect(titles({ ...healthy, appUrl: "http://atrium.example" })).toEqual([texts.plainHttp]);
});

test("a slow database, a growing queue and a lone administrator are each reported", () => {
  expect(titles({ ...healthy, database: { ...healthy.database, latencyMs: 900 } })).toEqual([
    texts.slowDatabase,
  ]);
  expect(titles({ ...healthy, mail: { transport: "smtp", waiting: 40, dead: 0 } })).toEqual([
    texts.mailsWaiting(40),
  ]);
  expect(titles({ ...healthy, users: { total: 1, admins: 1, pending: 0 } })).toEqual([texts.loneAdmin]);
});

test("a slow database on a server may be far away, the embedded one never", () => {
  const remedyOf = (kind: "postgres" | "embedded") => {
    const info = { ...healthy, database: { ...healthy.database, kind, latencyMs: 900 } };
    return attentionItems({ info, status, unread: 0, plugins: [], backups: null })[0]?.remedy;
  };
  expect(remedyOf("postgres")).toContain("closer");
  expect(remedyOf("embedded")).toContain("this machine");
  expect(remedyOf("embedded")).not.toContain("closer");
});

test("unread messages and a lone administrator each lead to where something can be done about them", () => {
  const info = { ...healthy, users: { total: 1, admins: 1, pending: 0 } };
  // What a page can do needs no terminal.
  expect(texts.loneAdminRemedy).not.toContain("atrium ");
  expect(
    attentionItems({ info, status, unread: 3, plugins: [], backups: null }).map(({ title, link }) => [
      title,
      link?.href,
    ]),
  ).toEqual([
    ["3 unread messages", "/admin/messages"],
    [texts.loneAdmin, "/admin/users"],
  ]);
});

test("a count of messages that could not be had is no news", () => {
  expect(attentionItems({ info: healthy, status, unread: null, plugins: null, backups: null })).toEqual([]);
});

test("a service that is away is named with its reason, what is done meanwhile, and the way to its settings", () => {
  const away = {
    ...service,
    state: "away",
    server: "redis.example:6379",
    reason: "Wrong password.",
  } as const;
  const [redis] = items({ redis: away });
  expect(redis).toMatchObject({
    tone: "error",
    title: texts.redisAway,
    link: { href: "/admin/settings#redis" },
  });
  expect(redis?.remedy).toBe(`Wrong password. ${texts.redisAwayRemedy}`);
  const [storage] = items({ storage: { ...status.storage, state: "away" } });
  expect(storage).toMatchObject({ title: texts.storageAway, remedy: texts.storageAwayRemedy });
});

test("a server that sees every visitor alike says so in the words of its own warning", () => {
  const [proxy] = items({
    visitor: { ...status.visitor, warning: "All visitors appear to have the same address." },
  });
  expect(proxy).toMatchObject({ tone: "warning", remedy: "All visitors appear to have the same address." });
});

test("backups are named if the newest failed or there are none, and not if it was canceled", () => {
  const making = {
    id: "1",
    place: "folder",
    isScheduled: true,
    startedAt: "2030-01-02T03:00:00.000Z",
    beatAt: "2030-01-02T03:00:00.000Z",
    stage: "writing",
    table: null,
    rows: 0,
    readBytes: 0,
    name: null,
    sizeBytes: null,
    sha256: null,
  } as const;
  const failed = (error: string): BackupHealth["run"] => ({ ...making, state: "failed", error });
  const last = { at: "2030-01-01T03:00:00.000Z", name: "a", place: "folder", sizeBytes: 1 };
  const off = { isEnabled: false, every: { hours: 6 }, keepLast: 7, keepDays: null, recipients: [] };
  const none: BackupHealth = {
    run: null,
    last: null,
    proof: null,
    schedule: { ...off, place: "folder" },
    nextAt: null,
  };
  const on = { ...none.schedule, isEnabled: true };
  const named = (change: Partial<BackupHealth>) =>
    attentionItems({ info: healthy, status, unread: 0, plugins: [], backups: { ...none, ...change } });
  expect(named({ run: { ...making, state: "running", error: null } })).toEqual([]);
  expect(named({ schedule: on, last })).toEqual([]);
  expect(named({ last, run: failed("The backup was canceled") })).toEqual([]);
  expect(named({ last, run: { ...making, state: "done", error: null } })).toEqual([]);
  const link = { href: "/admin/backups" };
  expect(named({})).toMatchObject([
    { tone: "warning", title: texts.noBackup, remedy: texts.noScheduleRemedy, link },
  ]);
  expect(named({ run: failed("The backup was canceled") })).toMatchObject([{ title: texts.noBackup }]);
  expect(named({ schedule: on })).toMatchObject([{ tone: "warning", title: texts.noBackup, link }]);
  expect(named({ last, run: failed("the bucket is away") })).toMatchObject([
    {
      tone: "warning",
      title: texts.backupFailed,
      remedy: `The bucket is away. ${texts.backupFailedRemedy}`,
      link,
    },
  ]);
});

test("services that could not be asked are no news", () => {
  expect(attentionItems({ info: healthy, status: null, unread: 0, plugins: [], backups: null })).toEqual([]);
});

test("a plugin that failed, was stopped, or waits is named with its remedy and the way to its page", () => {
  const plugins = [
    plugin({ name: "fine", title: "Fine", enabled: true, state: "running" }),
    plugin({ name: "late", title: "Late", pendingVersion: "2.0.0" }),
    plugin({ name: "stuck", title: "Stuck", pendingVersion: "2.0.0", error: "no ink" }),
    plugin({ name: "wild", title: "Wild", state: "quarantined", error: "It failed too often" }),
    plugin({ name: "sick", title: "Sick", state: "failed", enabled: true, pendingVersion: "2.0.0" }),
  ];
  const found = attentionItems({ info: healthy, status, unread: 0, plugins, backups: null });
  expect(found.map(({ tone, title, link }) => [tone, title, link?.href])).toEqual([
    ["error", "The Wild plugin was stopped", "/admin/plugins/wild"],
    ["error", "The Sick plugin failed", "/admin/plugins/sick"],
    ["warning", "Version 2.0.0 of the Late plugin is waiting for review", "/admin/plugins/late"],
    ["warning", "Version 2.0.0 of the Stuck plugin could not start", "/admin/plugins/stuck"],
  ]);
  expect(found[0]?.remedy).toBe(`It failed too often. ${texts.pluginStoppedRemedy}`);
  expect(found[1]?.remedy).toBe(texts.pluginFailedRemedy);
  expect(found[3]?.remedy).toBe(`No ink. ${texts.versionFailedRemedy}`);
});

test("a site of another name is told that its home page presents the program, until it has another", () => {
  const titles = (set: object) =>
    attentionItems(
      { info: healthy, status, unread: 0, plugins: [], backups: null },
      siteOf({ ...unsetSite, ...set }),
    ).map(({ title }) => title);
  expect(titles({ name: "Northwind" })).toEqual([texts.programsHome]);
  expect(titles({ name: "Northwind", home: "sections" })).toEqual([]);
  expect(titles({ name: "Northwind", home: "/notes" })).toEqual([]);
  expect(titles({})).toEqual([]);
});

test("a home page that is gone from the build is named", () => {
  expect(items({ missingHome: "/notes" }).map(({ title }) => title)).toEqual([texts.missingHome("/notes")]);
});

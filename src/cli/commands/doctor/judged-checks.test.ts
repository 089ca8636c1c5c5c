import { describe, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PostgresFacts, RedisInspection } from "#cli/composition.ts";
import { inUse, noBucket, plainStatus } from "#cli/testing/system-status.ts";
import { type ServiceState, type StorageState, settingsTexts } from "#contract/settings.ts";
import { checkFileSystem, checkInodes } from "./check-machine.ts";
import { checkOrigin, checkVisitors } from "./check-reach.ts";
import { checkPostgres, checkRedis, checkStorage } from "./check-services.ts";
import type { Check } from "./checks.ts";

/** What is looked at, and what comes of it: the whole detail, or what it has to hold. */
type Row = readonly [
  promise: string,
  look: () => Check | Promise<Check>,
  state: Check["state"],
  detail?: string | RegExp | undefined,
  remedy?: RegExp | null,
];

const matching = (wanted: string | RegExp | null) =>
  wanted instanceof RegExp ? expect.stringMatching(wanted) : wanted;

const judged = (name: string, rows: readonly Row[]): void =>
  describe(name, () => {
    for (const [promise, look, state, detail, remedy] of rows)
      test(promise, async () => {
        expect(await look()).toMatchObject({
          name,
          state,
          ...(detail === undefined ? {} : { detail: matching(detail) }),
          ...(remedy === undefined ? {} : { remedy: matching(remedy) }),
        });
      });
  });

const usable = {
  server: "cache:6379",
  isUsable: true as const,
  version: "7.0.15",
  latencyMs: 0.42,
  warnings: [],
  source: "environment" as const,
};
const broken = { server: "cache:6379", isUsable: false as const, reason: "connection refused" };
const started = (report: RedisInspection | null) => () =>
  checkRedis({ inspectRedis: async () => report }, null);
const unreadable = () => Promise.reject(new Error("password authentication failed"));
const noConnection = () => Promise.reject(new Error("no connection is made"));
const running = (redis: ServiceState) => () =>
  checkRedis({ inspectRedis: noConnection }, { status: { ...plainStatus, redis } });
const away = { ...inUse, state: "away", reason: "wrong user name or password" } as const;

judged("Redis", [
  [
    "none to start with is fine: limits, cache and events do without",
    started(null),
    "ok",
    /not configured.*REDIS_URL.*limits and cache.*events/,
  ],
  [
    "one that answers is fine, with how fast it is and which version",
    started(usable),
    "ok",
    "cache:6379, from REDIS_URL, responds in 0.4 ms, version 7.0.15",
  ],
  ["one of the settings is called so", started({ ...usable, source: "settings" }), "ok", /from the settings/],
  [
    "one that is not as it should be is a warning that says why",
    started({ ...usable, warnings: ["Redis 6.2.0, which is no longer maintained"] }),
    "warn",
    /no longer maintained/,
  ],
  [
    "one of the environment that can't be used is a failure with the reason",
    started({ ...broken, source: "environment" }),
    "fail",
    /cache:6379, from REDIS_URL, can't be used: connection refused/,
    /REDIS_URL/,
  ],
  [
    "one of the settings that can't be used has a remedy there",
    started({ ...broken, source: "settings" }),
    "fail",
    undefined,
    /^(?!.*REDIS_URL).*settings test redis/,
  ],
  [
    "it is not known while the settings can't be read, which is no failure of Redis",
    () => checkRedis({ inspectRedis: unreadable }, null),
    "warn",
    /password authentication failed/,
  ],
  ["none in use is fine by the running server's word", running(plainStatus.redis), "ok", /not in use/],
  [
    "one in use is fine, with since when",
    running(inUse),
    "ok",
    "cache.example:6379, from the settings, used for limits, cache and events since 2026-11-20 18:40Z",
  ],
  [
    "one that is away is a failure with the reason",
    running(away),
    "fail",
    /unavailable since 2026-11-20 18:40Z: wrong user name or password/,
    /settings set/,
  ],
  [
    "one of the environment that is away has a remedy there",
    running({ ...away, source: "environment" }),
    "fail",
    undefined,
    /REDIS_URL/,
  ],
  ["one that was not tried yet is a warning", running({ ...inUse, state: "connecting" }), "warn"],
  [
    "a server that doesn't say is a warning",
    () => checkRedis({ inspectRedis: noConnection }, { problem: "no response in time" }),
    "warn",
    /no response in time/,
  ],
]);

const stored = (storage: StorageState) => () => checkStorage({ status: { ...plainStatus, storage } });
const bucket: StorageState = {
  ...inUse,
  server: "https://r2.example",
  home: "r2",
  inDatabase: 20,
  inR2: 100,
  migration: null,
};
const moving = { moved: 100, total: 120, bytes: 4_000_000, failed: 0 };

judged("object storage", [
  [
    "files in the database are fine, and counted",
    stored(noBucket),
    "ok",
    "in the database; 3 files in the database, 0 files in the bucket",
  ],
  [
    "a bucket in use is fine, also while files move there, which is shown",
    stored({ ...bucket, migration: moving }),
    "ok",
    "https://r2.example, in use since 2026-11-20 18:40Z; 20 files in the database, 100 files in the bucket; 100 of 120 moved to the bucket (4.0 MB)",
  ],
  [
    "files that could not be moved are a warning",
    stored({ ...bucket, migration: { ...moving, failed: 2 } }),
    "warn",
    /2 failed/,
  ],
  [
    "a bucket that is away is a failure with the reason and a remedy",
    stored({ ...bucket, state: "away", reason: "access denied" }),
    "fail",
    /https:\/\/r2\.example unavailable since 2026-11-20 18:40Z: access denied/,
    /settings test r2/,
  ],
  ["a bucket that was not tried yet is a warning", stored({ ...bucket, state: "connecting" }), "warn"],
  ["without a server nothing is known", () => checkStorage(null), "ok", /unknown/],
  ["a server that doesn't say is a warning", () => checkStorage({ problem: "no answer" }), "warn"],
]);

const seen = (parts: Partial<(typeof plainStatus)["visitor"]>) => () =>
  checkVisitors({ status: { ...plainStatus, visitor: { ...plainStatus.visitor, ...parts } } });
const alike = settingsTexts.everybodyLooksTheSame("172.18.0.5", { isListed: false, trustProxy: false });

judged("visitors", [
  [
    "the address under which the newest visitor is seen is told, and who is believed about it",
    seen({ newestVisitor: "203.0.113.7" }),
    "ok",
    "the latest visitor's IP address is 203.0.113.7; trusted proxies: loopback",
    null,
  ],
  ["that no proxy is believed is told", seen({ trustedProxies: [] }), "ok", /no proxy is trusted$/],
  ["without visitors it says how to find out", seen({}), "ok", /open a page/],
  [
    "that every visitor looks the same is a warning with the server's words and what to do",
    seen({ warning: alike, newestVisitor: "172.18.0.5" }),
    "warn",
    `${alike} The latest visitor's IP address is 172.18.0.5.`,
    /TRUSTED_PROXIES.*core\.security\.trustProxy/,
  ],
  ["without a server they are not known", () => checkVisitors(null), "ok", /unknown/],
  [
    "a server that doesn't say is a warning",
    () => checkVisitors({ problem: "no answer" }),
    "warn",
    /no answer/,
  ],
]);

const local = { appUrl: null, host: "127.0.0.1", port: 3000 };
const origin = (parts: Partial<Parameters<typeof checkOrigin>[0]>, running?: string) => () =>
  checkOrigin({ ...local, ...parts }, running);
const other = "https://atrium.example";

judged("public address", [
  ["the default serves this machine", origin({}), "ok", "http://localhost:3000, for this machine only"],
  ["with any free port as well", origin({ port: 0 }), "ok", /^http:\/\/localhost with a free port,/],
  [
    "a server open to the network without one is a warning",
    origin({ host: "0.0.0.0" }),
    "warn",
    /./,
    /APP_URL/,
  ],
  [
    "one of this machine is then one too",
    origin({ appUrl: "http://localhost:3000", host: "0.0.0.0" }),
    "warn",
  ],
  ["a host that can't be looked up is a warning", origin({ appUrl: "https://atrium.invalid" }), "warn"],
  ["one that can be looked up is fine", origin({ appUrl: "https://localhost" }), "ok"],
  ["an IP address is not looked up", origin({ appUrl: "https://192.0.2.1" }), "ok"],
  [
    "another one than the running server's is a warning with both",
    origin({}, other),
    "warn",
    /https:\/\/atrium\.example,.*http:\/\/localhost:3000$/,
    /environment/,
  ],
  ["another port is another one", origin({}, "http://localhost:3001"), "warn"],
  ["another host is another one", origin({ appUrl: "https://a.example" }, "https://b.example"), "warn"],
  ["any free port is not that of a public one", origin({ port: 0 }, other), "warn"],
  ["the running server's own is fine", origin({}, "http://localhost:3000"), "ok"],
  [
    "any free port is that of a local one",
    origin({ port: 0 }, "http://localhost:40123"),
    "ok",
    "http://localhost:40123, for this machine only",
  ],
]);

const fine: PostgresFacts = {
  version: "17.5",
  versionNumber: 170_005,
  hasTrgm: true,
  mostConnections: 97,
  openConnections: 14,
  isReadOnly: false,
  unsafeSettings: [],
  sharesSessions: false,
  clockAheadMs: 12,
};
const postgres = (facts: Partial<PostgresFacts>) => async () => {
  const [check, ...others] = await checkPostgres(async () => ({ ...fine, ...facts }));
  expect(others).toEqual([]);
  return check ?? expect.unreachable();
};
const asked = async () =>
  (await checkPostgres(() => Promise.reject(new Error("connection refused"))))[0] ?? expect.unreachable();

judged("PostgreSQL", [
  ["a server that suits is one line", postgres({}), "ok", "17.5, 14 of 97 connections open", null],
  ["too old a version", postgres({ version: "14.9", versionNumber: 140_009 }), "fail", /./, /upgrade/],
  ["a missing extension", postgres({ hasTrgm: false }), "fail", /./, /postgresql-contrib/],
  ["a standby", postgres({ isReadOnly: true }), "fail", /./, /primary/],
  ["a pooler by transaction", postgres({ sharesSessions: true }), "fail", /./, /pool_mode = session/],
  ["settings that risk data", postgres({ unsafeSettings: ["fsync=off"] }), "warn", /./, /postgresql\.conf/],
  ["too few connections for one server", postgres({ mostConnections: 10 }), "warn", /./, /max_connections/],
  ["connections that are nearly used up", postgres({ openConnections: 95 }), "warn", /./, /max_connections/],
  ["a clock that is off", postgres({ clockAheadMs: -90_000 }), "warn", /./, /time server/],
  ["one that can't be asked is a warning", asked, "warn", "could not be checked: connection refused"],
]);

test("the embedded database is no PostgreSQL server to judge", async () => {
  expect(await checkPostgres(async () => null)).toEqual([]);
});

const folder = join(tmpdir(), "not-there-yet");
const disk = (type: number, isEmbedded: boolean) => () =>
  checkFileSystem(folder, isEmbedded, () => ({ type }));

judged("file system", [
  [
    "a network disk is a warning under the embedded database",
    disk(0x6969, true),
    "warn",
    /NFS/,
    /DATABASE_URL/,
  ],
  ["it is fine with PostgreSQL", disk(0x6969, false), "ok", "NFS"],
  ["a number with the highest bit is known as well", disk(0xff534d42 | 0, true), "warn"],
  ["what is gone with the container is a warning", disk(0x794c7630, true), "warn", /./, /volume/],
  ["whatever the database is", disk(0x794c7630, false), "warn", /./, /volume/],
  ["what is gone with a restart is a warning", disk(0x01021994, true), "warn", /tmpfs/],
  ["a local disk is fine", disk(0xef53, true), "ok"],
]);

judged("free inodes", [["they are counted, also before the folder exists", () => checkInodes(folder), "ok"]]);

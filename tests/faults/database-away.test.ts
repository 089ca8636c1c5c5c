import { afterAll, beforeAll, describe, expect } from "bun:test";
import postgres from "postgres";
import { contactMessages } from "#api/db/schema.ts";
import { type FaultProxy, startFaultProxy } from "#api/testing/fault-proxy.ts";
import { inOrder } from "#api/testing/in-order.ts";
import { until } from "#api/testing/until.ts";
import { userPassword } from "../driver/add-user.ts";
import { signedInPeople } from "../driver/people.ts";
import { createPerson } from "../driver/person.ts";
import { readRows } from "../driver/read-rows.ts";
import { removeFolder, type ServerProcess, startServer } from "../driver/start-server.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../services/postgres.ts";
import { startVisitors, type Visit, type VisitKind, type Visitors } from "./visitors.ts";

/** What a call may take at most, on top of nothing: the pulse finds a frozen server out within it. */
const refusedWithinMs = 3_000;
const backWithinMs = 5_000;
const settleMs = 200;

let database: PostgresServer;
let line: FaultProxy;
let server: ServerProcess;
let visitors: Visitors;
let env: { DATABASE_URL: string };

/** `holdMs`: how long it lasts; long enough for what waits to be refused, where anything waits. */
type Fault = {
  name: string;
  begin(): unknown;
  end(): unknown;
  holdMs: number;
  /** What fails meanwhile: everything that asks the database, only what writes, or perhaps nothing. */
  fails: "all" | "writes" | "some";
};

let crowd: postgres.Sql | null = null;

const faults: Fault[] = [
  {
    name: "is stopped",
    begin: () => database.kill(),
    end: () => database.restart(),
    holdMs: 1_000,
    fails: "all",
  },
  {
    name: "hangs",
    begin: () => database.suspend(),
    end: () => database.resume(),
    holdMs: refusedWithinMs + 500,
    fails: "all",
  },
  { name: "forgets its connections", begin: () => line.reset(), end: () => {}, holdMs: 500, fails: "some" },
  {
    name: "has no connection left",
    begin: async () => {
      line.cut();
      const others = postgres(database.url(), { max: 200, onnotice: () => {} });
      crowd = others;
      const isFull = () =>
        others.reserve().then(
          () => false,
          () => true,
        );
      await until(isFull);
      await line.mend();
    },
    end: () => crowd?.end({ timeout: 0 }),
    holdMs: 1_000,
    fails: "all",
  },
  {
    name: "only reads",
    begin: () => setReadOnly("on"),
    end: () => setReadOnly("off"),
    holdMs: 1_000,
    fails: "writes",
  },
  {
    name: "answers two seconds late",
    begin: () => line.slow(2_000),
    end: () => line.mend(),
    holdMs: refusedWithinMs + 500,
    fails: "all",
  },
];

const setReadOnly = async (value: "on" | "off"): Promise<void> => {
  const own = postgres(database.url(), { max: 1, onnotice: () => {} });
  await own.unsafe("set default_transaction_read_only = off");
  await own.unsafe(`alter system set default_transaction_read_only = ${value}`);
  await own.unsafe("select pg_reload_conf()");
  await own.end();
};

const only = (visits: Visit[], ...kinds: VisitKind[]): Visit[] =>
  visits.filter(({ kind }) => kinds.includes(kind));
const statusesOf = (visits: Visit[], ...kinds: VisitKind[]) =>
  [...new Set(only(visits, ...kinds).map(({ status }) => status))].sort();

describe.skipIf(findPostgres() === null)("X4: a PostgreSQL server that", () => {
  beforeAll(async () => {
    database = await startPostgres({ durable: true });
    const url = new URL(await database.createDatabase());
    line = await startFaultProxy({ host: "127.0.0.1", port: Number(url.port) });
    url.port = String(line.port);
    env = { DATABASE_URL: url.href };
    server = await startServer({ env });
    const { user } = await signedInPeople(server);
    visitors = startVisitors({
      url: server.url,
      cookie: user,
      email: "grace@example.test",
      password: userPassword,
    });
  }, 60_000);

  afterAll(async () => {
    await visitors.stop();
    await server.stop("SIGKILL");
    await line.close();
    database.stop();
    removeFolder(server.dataDir);
  });

  // The last ones ask what became of it all.
  const step = inOrder(240_000);

  for (const { name, begin, end, holdMs, fails } of faults)
    step(
      `${name} makes requests fail soon with a time to retry, leaves pages alone, and is used again automatically`,
      async () => {
        await until(() => only(visitors.takeVisits(), "message").some(({ status }) => status === 201));
        await begin();
        visitors.takeVisits();
        // What had begun by then may have been done before.
        const begunAt = performance.now() + settleMs;
        await Bun.sleep(holdMs);
        const seen = visitors.takeVisits();
        const meanwhile = seen.filter((visit) => visit.begunAt > begunAt);
        await end();
        const endedAt = performance.now();
        const after: Visit[] = [];
        const isBack = () => {
          after.push(...visitors.takeVisits());
          const later = after.filter(({ begunAt, status }) => begunAt > endedAt && status !== 503);
          return (["session", "message", "signIn", "ready"] as const).every(
            (kind) => only(later, kind).length > 0,
          );
        };
        const backMs = await until(isBack);
        console.log(`a database that ${name}: back after ${Math.round(backMs)} ms`);
        expect(backMs).toBeLessThan(backWithinMs);

        const all = [...seen, ...after];
        expect(statusesOf(all, "page")).toEqual([200]);
        const failed = all.filter(({ status }) => status === null || status >= 400);
        expect(new Set(failed.map(({ status, code }) => `${status} ${code}`))).toEqual(
          new Set(failed.length > 0 ? ["503 DB_UNAVAILABLE"] : []),
        );
        expect(failed.every(({ retryAfter }) => Number(retryAfter) >= 1)).toBe(true);
        expect(Math.max(...all.map(({ ms }) => ms))).toBeLessThan(refusedWithinMs);
        if (fails === "all")
          expect(statusesOf(meanwhile.slice(-10), "session", "message", "ready")).toEqual([503]);
        if (fails === "writes") expect(statusesOf(meanwhile, "message")).toEqual([503]);
        if (fails === "writes") expect(statusesOf(meanwhile, "session")).toEqual([200]);
      },
    );

  step(
    "was away in all of these ways has every message that was acknowledged, and none of them twice",
    async () => {
      await visitors.stop();
      expect(await server.stop()).toBe(0);
      const rows = await readRows({ dataDir: server.dataDir, env }, async (db) =>
        (await db.select({ text: contactMessages.message }).from(contactMessages)).map(({ text }) => text),
      );
      const kept = new Set(rows);
      expect(rows.length).toBe(kept.size);
      expect(visitors.acknowledged.filter((text) => !kept.has(text))).toEqual([]);
      const sent = new Set(visitors.sent);
      expect(rows.filter((text) => !sent.has(text))).toEqual([]);
      expect(visitors.acknowledged.length).toBeGreaterThan(20);
    },
  );

  step(
    "is not there at the start is waited for, by a server that is alive and says when to come back",
    async () => {
      // Frees its port, which is known beforehand.
      await server.stop();
      line.cut();
      const { origin, port } = new URL(server.url);
      const starting = startServer({ dataDir: server.dataDir, env, port: Number(port) });
      await until(() => fetch(`${origin}/api/health`).then(({ status }) => status === 200));
      for (const path of ["/api/ready", "/", "/api/auth/user"]) {
        const response = await fetch(`${origin}${path}`);
        expect([path, response.status, response.headers.get("retry-after")]).toEqual([path, 503, "1"]);
        expect(await response.json()).toMatchObject({ code: "STARTING", data: { status: "starting" } });
      }
      await line.mend();
      const late = await starting;
      expect((await createPerson(late.url).call("GET", "/api/ready")).status).toBe(200);
      expect(await late.stop()).toBe(0);
    },
  );
});

import { afterAll, beforeAll, describe, expect, setDefaultTimeout } from "bun:test";
import { SQL } from "bun";
import { createMemoryEventBus } from "#api/adapters/event-bus/postgres-event-bus.ts";
import { createSecretBox } from "#api/adapters/secret-box.ts";
import { systemClock } from "#api/core/clock.ts";
import { migrate } from "#api/db/migrate.ts";
import { openPostgres } from "#api/db/postgres/open-postgres.ts";
import { createActivityWriter } from "#api/modules/activity/index.ts";
import { factAt, fillActivity } from "#api/testing/fill-activity.ts";
import { inOrder } from "#api/testing/in-order.ts";
import { type LiveStream, readStream } from "#api/testing/live-stream.ts";
import { packPlugin } from "#api/testing/plugin-package.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { sized } from "#api/testing/size.ts";
import { until } from "#api/testing/until.ts";
import { addUser } from "../driver/add-user.ts";
import { createPerson } from "../driver/person.ts";
import { asOperator } from "../driver/plugin-caller.ts";
import { removeFolder, temporaryFolder } from "../driver/start-server.ts";
import { nextPlace } from "../faults/api-load.ts";
import { makeNewerMigrations, newerVersion } from "./newer-program.ts";
import { type Replica, type ReplicaStage, startReplicas } from "./replica-stage.ts";

setDefaultTimeout(60_000);

const mails = sized(24, 1_000);
const registeredAtOnce = 24;
const rows = sized(30, 600);
const dayMs = 24 * 3_600_000;

let stage: ReplicaStage;
let sql: SQL;
beforeAll(async () => {
  stage = await startReplicas(3, { prepare: rememberOldDays });
  sql = new SQL(stage.databaseUrl, { max: 1 });
});
afterAll(async () => {
  await sql.close();
  await stage.close();
});

/** A log that reaches back a hundred days, of which fifty are to be kept. */
const rememberOldDays = async (databaseUrl: string, appSecret: string): Promise<void> => {
  const handle = openPostgres(databaseUrl);
  const log = createRecordingLog();
  const box = createSecretBox(new TextEncoder().encode(appSecret));
  const events = createMemoryEventBus(log);
  try {
    await migrate(handle);
    const { recorder } = createActivityWriter({ db: handle.db, clock: systemClock, log, box, events });
    const days = Array.from({ length: 100 }, (_, day) => factAt(new Date(Date.now() - (100 - day) * dayMs)));
    await fillActivity({ db: handle.db, activity: recorder }, days);
  } finally {
    await handle.close();
  }
  const own = new SQL(databaseUrl, { max: 1 });
  await own`insert into installation (key, value) values ('activity.retentionDays', '50')`;
  await own.close();
};

const replicaAt = (turn: number): Replica => {
  const replica = stage.replicas[turn % stage.replicas.length];
  if (replica === undefined) throw new Error("there are no replicas");
  return replica;
};
const kill = async (replica: Replica): Promise<void> => {
  await replica.server.stop("SIGKILL");
  stage.proxy.remove(replica.server.url);
  stage.replicas.splice(stage.replicas.indexOf(replica), 1);
};

// Replicas lose Redis or are killed along the way.
const step = inOrder(sized(240_000, 1_800_000));

describe("what is older than is to be kept", () => {
  step("was removed by one of three that started together", async () => {
    const cleanUps = () => sql`
      select 1 from activities join activity_kinds on activity_kinds.id = kind_id
      where action = 'Cleaned up the activity log'`;
    await until(async () => (await cleanUps()).length > 0);
    const old = () => sql`select 1 from activities where occurred_at < now() - interval '50 days'`;
    await until(async () => (await old()).length === 0);
    expect(await cleanUps()).toHaveLength(1);
  });
});

describe("each email", () => {
  step("is sent once, whichever replica was asked for it", async () => {
    const asked = Array.from({ length: mails }, (_, at) => `mail-${at}@example.test`);
    const register = async (email: string) => {
      const body = { name: "Ada", email, password: "a fine long password" };
      return (await createPerson(stage.proxy.origin, nextPlace()).call("POST", "/api/auth/register", body))
        .status;
    };
    // As many at once as the queues for hashing hold: who comes beyond that is told to come again.
    for (let at = 0; at < mails; at += registeredAtOnce) {
      const statuses = await Promise.all(asked.slice(at, at + registeredAtOnce).map(register));
      expect(new Set(statuses)).toEqual(new Set([201]));
    }
    await stage.mail.received(mails);
    await until(async () => (await sql`select 1 from mails where status = 'waiting'`).length === 0);
    const sent = stage.mail.mails.flatMap(({ recipients }) => recipients);
    expect(sent.toSorted()).toEqual(asked.toSorted());
  });
});

describe("a plugin's job", () => {
  const name = "ticking-notes";
  const backend = `export default {
    name: "${name}", version: "1.0.0",
    setup(ctx) {
      ctx.schedule.every("tick", 1000, async () => { await ctx.kv.incr("ticks"); });
      ctx.routes.get("/ticks", async () => ({ ticks: (await ctx.kv.get("ticks")) ?? 0 }));
    },
  };`;
  const ticks = async () => {
    const { body } = await asOperator(replicaAt(0).server.dataDir).ask("GET", `/api/${name}/ticks`);
    return Number(body.ticks);
  };
  /** How often it ran in so many milliseconds. */
  const runsIn = async (ms: number) => {
    const before = await ticks();
    await Bun.sleep(ms);
    return (await ticks()) - before;
  };

  step("that is due each second runs each second and no more often, on whichever of three", async () => {
    const permissions = ["routes", "storage.kv", "schedule"];
    const caller = asOperator(replicaAt(0).server.dataDir);
    expect((await caller.upload(await packPlugin({ name, backend, manifest: { permissions } }))).status).toBe(
      201,
    );
    expect((await caller.toggle(name, true)).status).toBe(200);
    for (const { server } of stage.replicas)
      await until(
        async () => (await asOperator(server.dataDir).ask("GET", `/api/${name}/ticks`)).status === 200,
      );
    await until(async () => (await ticks()) > 0);
    const runs = await runsIn(3_000);
    expect(runs).toBeGreaterThanOrEqual(2);
    expect(runs).toBeLessThanOrEqual(4);
  });

  step("of a replica that died with it runs again once the lease is over, not before", async () => {
    // As a replica leaves it that is killed in the middle of a run.
    await sql`update plugin_jobs set leased_by = 'gone', leased_until = now() + interval '2 seconds' where job = 'tick'`;
    expect(await runsIn(1_500)).toBeLessThanOrEqual(1);
    const had = await ticks();
    await until(async () => (await ticks()) > had);
  });
});

describe("stored files", () => {
  step("move to a bucket once, though three look after them", async () => {
    const credentials = {
      ...{ bucket: "replica-files", endpointS3: stage.storage.origin, token: "token-of-nobody-0123456789" },
      ...{ accessKeyId: "access-key-0123456789", secretAccessKey: "secret-key-0123456789-0123456789" },
    };
    const storage = async (): Promise<{ home: string; inDatabase: number; inR2: number }> => {
      const { data } = await stage.operate(replicaAt(1), "GET", "/api/system/status");
      return Object(data).storage;
    };
    const { inDatabase } = await storage();
    expect(inDatabase).toBeGreaterThan(0);
    await stage.operate(replicaAt(1), "PUT", "/api/auth/settings/credentials", { cloudflareR2: credentials });
    await until(async () => (await storage()).inDatabase === 0);
    expect((await storage()).inR2).toBe(inDatabase);
    const written = stage.storage.seen
      .filter(({ method, path }) => method === "PUT" && !path.includes("/alive"))
      .map(({ path }) => path);
    expect(written).toHaveLength(new Set(written).size);
    expect(written).toHaveLength(inDatabase);
  });
});

describe("when a replica is killed", () => {
  const listen = async ({ server }: Replica, lastId?: string): Promise<LiveStream> => {
    const path = "/api/admin/activity/stream?search=role of a user";
    const response = await fetch(`${server.url}${path}`, {
      headers: { cookie: stage.admin.cookie ?? "", ...(lastId ? { "last-event-id": lastId } : {}) },
    });
    expect(response.status).toBe(200);
    const stream = readStream(response);
    await stream.begun();
    return stream;
  };
  const idsOf = (stream: LiveStream) =>
    stream.events.filter(({ type }) => type === "activity").map(({ id }) => Number(id));

  step("its live stream continues at another, without a gap and without a repeated row", async () => {
    await addUser(stage.proxy.origin, stage.admin.cookie ?? "", {
      name: "Grace",
      email: "grace@example.test",
    });
    const writes = async (from: number, to: number) => {
      for (let row = from; row < to; row += 1) {
        const role = row % 2 === 0 ? "admin" : "user";
        const path = "/api/admin/users/grace@example.test/role";
        expect((await stage.admin.call("PUT", path, { role })).status).toBe(200);
      }
    };
    const doomed = replicaAt(2);
    const first = await listen(doomed);
    await writes(0, rows / 2);
    await first.actions(rows / 2);
    await kill(doomed);
    await first.ended();
    await writes(rows / 2, rows);
    const second = await listen(replicaAt(0), first.lastId);
    await second.actions(rows / 2);
    const ids = [...idsOf(first), ...idsOf(second)];
    expect(ids).toHaveLength(rows);
    expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => one - other));
    await second.close();
  });

  step("with an email under way, another sends it once the lease is over, and only once", async () => {
    const email = "left-behind@example.test";
    stage.mail.behave({ onText: ({ recipients }) => (recipients.includes(email) ? "hang" : "take") });
    const doomed = replicaAt(1);
    const answer = await stage
      .at(doomed, createPerson(stage.proxy.origin))
      .call("POST", "/api/auth/register", { name: "Ada", email, password: "a fine long password" });
    expect(answer.status).toBe(201);
    const held = () => sql`
      select extract(epoch from leased_until - now()) as left from mails
      where status = 'waiting' and leased_until is not null`;
    await until(async () => (await held()).length === 1);
    await kill(doomed);
    stage.mail.behave({});
    const [{ left }] = await held();
    expect(Number(left)).toBeLessThanOrEqual(60);
    const toThem = () => stage.mail.mails.filter(({ recipients }) => recipients.includes(email));
    expect(toThem()).toEqual([]);
    // The minute is over.
    await sql`update mails set leased_until = now() where status = 'waiting'`;
    await until(() => toThem().length > 0);
    await until(async () => (await sql`select 1 from mails where status = 'waiting'`).length === 0);
    expect(toThem()).toHaveLength(1);
  });

  step("the activity log has everything that it was asked to record, in an unbroken chain", async () => {
    const { data } = await stage.operate(replicaAt(0), "GET", "/api/admin/activity/verify");
    expect(data).toMatchObject({ fault: null });
  });
});

describe("X7: a migration that would wait crosswise with others", () => {
  step("gives way, and is applied once they are through", async () => {
    const folder = temporaryFolder();
    const handle = openPostgres(stage.databaseUrl);
    try {
      makeNewerMigrations(folder);
      await using reader = await sql.reserve();
      await using watcher = new SQL(stage.databaseUrl, { max: 1 });
      await reader`begin`;
      await reader`select 1 from sessions`;
      const migrating = migrate(handle, {
        ...{ version: newerVersion, migrations: folder, ownMigrations: `${folder}/own` },
      });
      await until(
        async () =>
          (
            await watcher`
        select 1 from pg_locks where not granted and relation = 'sessions'::regclass`
          ).length > 0,
      );
      // Held by the migration, which waits for what the reader holds.
      expect(await reader`select count(*)::int as n from users`).toHaveLength(1);
      await reader`commit`;
      await migrating;
      expect(await watcher`select 1 from later_things`).toHaveLength(0);
    } finally {
      await handle.close();
      removeFolder(folder);
    }
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { createMemoryEventBus, createPostgresEventBus } from "#api/adapters/event-bus/postgres-event-bus.ts";
import { createRedisLink } from "#api/adapters/redis/redis-link.ts";
import { createSiteCache } from "#api/adapters/site-file.ts";
import { systemClock } from "#api/core/clock.ts";
import type { Database } from "#api/core/database.ts";
import type { EventBus, EventListeners } from "#api/core/events.ts";
import type { StoredSettings } from "#api/core/settings.ts";
import { openPostgres } from "#api/db/postgres/open-postgres.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { startTestDatabaseServer, type TestDatabaseServer } from "#api/testing/database-server.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { startSettings } from "#api/testing/settings-process.ts";
import { until } from "#api/testing/until.ts";
import { accountSettings, coreSettings } from "#contract/core-settings.ts";
import { siteSettings } from "#contract/site-settings.ts";
import { updateSettings } from "./change-settings.ts";
import { updateCredentials } from "./credentials.ts";
import { selectSettings } from "./store.ts";

setDefaultTimeout(60_000);

const endings: (() => unknown)[] = [];
const startProcess = async (...options: Parameters<typeof startSettings>) => {
  const started = await startSettings(...options);
  endings.push(started.stop);
  return started;
};
const setMax = (maxRequests: number) => ({ rateLimiting: { maxRequests } });

const database = await databaseForFile();
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
  await database.db.execute(sql`truncate settings, setting_secrets, setting_changes`);
});

describe("the settings of a process", () => {
  test("are the defaults while nothing is stored, with Redis from the environment", async () => {
    const { service } = await startProcess(
      database.db,
      undefined,
      "redis://user:p%40ss@redis.example:6380/2",
    );
    expect(service.current).toEqual({
      generation: 0,
      core: coreSettings.defaults,
      accounts: accountSettings.defaults,
      site: siteSettings.defaults,
      fixedSite: {},
      features: { values: {}, secrets: {} },
      redis: { url: "redis://user@redis.example:6380/2", password: "p@ss", source: "environment" },
      bucket: null,
      providers: [],
      locked: { redis: null, bucket: null },
    });
  });

  test("are those that were stored before it started", async () => {
    const first = await startProcess(database.db);
    await updateSettings(first.ctx, coreSettings, setMax(321));
    await updateCredentials(first.ctx, { redis: { endpoint: "redis://redis.example", password: "p" } });
    const second = await startProcess(database.db, undefined, "redis://env.example");
    expect(second.service.current).toEqual(first.service.current);
    expect(second.service.current).toMatchObject({
      core: { rateLimiting: { maxRequests: 321 } },
      redis: { url: "redis://redis.example", password: "p", source: "settings" },
    });
  });

  test("go back to the environment's Redis when the saved one is emptied", async () => {
    const { ctx, service } = await startProcess(database.db, undefined, "redis://env.example");
    await updateCredentials(ctx, { redis: { endpoint: "redis://redis.example" } });
    expect(service.current.redis?.source).toBe("settings");
    await updateCredentials(ctx, { redis: { endpoint: "" } });
    expect(service.current.redis).toMatchObject({ url: "redis://env.example", source: "environment" });
  });

  test("cannot be changed in place", async () => {
    const { service } = await startProcess(database.db);
    for (const part of [
      service.current,
      service.current.core,
      service.current.core.rateLimiting,
      service.current.core.security,
    ])
      expect(Object.isFrozen(part)).toBe(true);
  });

  test("reach listeners once for each change, even if another listener throws", async () => {
    const { ctx, service, logged } = await startProcess(database.db);
    const heard: number[] = [];
    service.subscribe(["core"], () => {
      throw new Error("no");
    });
    service.subscribe(["site", "accounts"], () => heard.push(0));
    const stop = service.subscribe(["core"], ({ core }) => heard.push(core.rateLimiting.maxRequests));
    await updateSettings(ctx, coreSettings, setMax(200));
    await updateSettings(ctx, coreSettings, setMax(200));
    await service.refresh();
    stop();
    await updateSettings(ctx, coreSettings, setMax(300));
    expect(heard).toEqual([200]);
    expect(logged.filter(({ level }) => level === "error")).toHaveLength(2);
  });
});

/** The database, which fails or is silent when it is told to. */
const disturbable = (db: Database) => {
  let fault: (() => Promise<never>) | null = null;
  const handler: ProxyHandler<Database> = {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (name === "execute" && fault !== null) return fault;
      return typeof value === "function" ? value.bind(target) : value;
    },
  };
  return {
    db: new Proxy(db, handler),
    disturb: (next: (() => Promise<never>) | null) => {
      fault = next;
    },
  };
};

const createBus = () => {
  const bus = createMemoryEventBus(createRecordingLog());
  const gaps: (() => void)[] = [];
  return {
    isConnected: true,
    publish: bus.publish,
    subscribe: (listeners: EventListeners, onGap = () => {}) => {
      gaps.push(onGap);
      return bus.subscribe(listeners);
    },
    gap: () => {
      for (const onGap of gaps) onGap();
    },
  };
};

describe("what holds is kept", () => {
  test("while reading fails, and is read again as soon as that works", async () => {
    const { db, disturb } = disturbable(database.db);
    const bus = createBus();
    const { service, logged } = await startProcess(db, bus);
    const other = await startProcess(database.db);
    await updateSettings(other.ctx, coreSettings, setMax(444));
    const failure = async () => {
      throw new Error("away");
    };
    disturb(failure);
    bus.publish({ type: "settings-changed", generation: 1 });
    await until(() => logged.some(({ message }) => message.startsWith("the settings could not be read")));
    expect(service.current.core).toEqual(coreSettings.defaults);
    expect(await service.refresh().catch((error: Error) => error.message)).toBe("away");
    disturb(null);
    // Nobody says so again: it asks by itself.
    await until(() => service.current.core.rateLimiting.maxRequests === 444, 3_000);
  });

  test("with the site's name of the last start, where the first read fails, and whatever becomes of its file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "atrium-site-cache-"));
    const path = join(folder, "cache/site.json");
    const start = (db: Database) => startProcess(db, undefined, null, createSiteCache(path));
    const first = await start(database.db);
    await updateSettings(first.ctx, siteSettings, { name: "Northwind" });
    const away = disturbable(database.db);
    away.disturb(async () => {
      throw new Error("away");
    });
    const second = await start(away.db);
    expect([second.service.current.site.name, second.service.current.generation]).toEqual(["Northwind", 0]);
    for (const damaged of ["{", "{}", '{"name":"\u0000"}']) {
      writeFileSync(path, damaged);
      expect((await start(away.db)).service.current.site).toEqual(siteSettings.defaults);
    }
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "no folder");
    const third = await start(database.db);
    expect(third.service.current.site.name).toBe("Northwind");
    expect(third.logged.filter(({ level }) => level === "warn")).toHaveLength(1);
    rmSync(folder);
  });

  test("with one complaint, however often others say that something changed", async () => {
    const { db, disturb } = disturbable(database.db);
    const bus = createBus();
    const { logged } = await startProcess(db, bus);
    disturb(async () => {
      throw new Error("away");
    });
    for (let generation = 1; generation <= 1_000; generation += 1)
      bus.publish({ type: "settings-changed", generation });
    const complaints = () => logged.filter(({ message }) => message.startsWith("the settings could not be"));
    await until(() => complaints().length > 0);
    expect(complaints()).toHaveLength(1);
    disturb(null);
  });

  test("when what was read is older than what was saved here meanwhile", async () => {
    const { db, disturb } = disturbable(database.db);
    const { ctx, service } = await startProcess(db);
    const before = await selectSettings(database.db);
    const { promise, resolve } = Promise.withResolvers<never>();
    disturb(() => promise);
    const read = service.refresh();
    await updateSettings(ctx, coreSettings, setMax(333));
    expect(service.current.core.rateLimiting.maxRequests).toBe(333);
    resolve([before] as never);
    await read;
    expect(service.current.core.rateLimiting.maxRequests).toBe(333);
  });

  test("when an older change is applied after a newer one", async () => {
    const { ctx, service } = await startProcess(database.db);
    const late: StoredSettings[] = [];
    const use = (stored: StoredSettings) => void late.push(stored);
    await updateSettings({ ...ctx, settings: { ...service, use } }, coreSettings, setMax(444));
    await updateSettings(ctx, coreSettings, setMax(445));
    expect(late).toHaveLength(1);
    for (const stored of late) service.use(stored);
    expect(service.current.core.rateLimiting.maxRequests).toBe(445);
  });

  test("while reading takes long", async () => {
    const { db, disturb } = disturbable(database.db);
    const bus = createBus();
    const { service } = await startProcess(db, bus);
    disturb(() => new Promise<never>(() => {}));
    const refreshed = service.refresh().catch((error: Error) => error.message);
    expect(service.current.core).toEqual(coreSettings.defaults);
    expect(await refreshed).toContain("no answer within");
    expect(service.current.core).toEqual(coreSettings.defaults);
  });

  test("until events that were missed are made up for", async () => {
    const bus = createBus();
    const { service } = await startProcess(database.db, bus);
    const other = await startProcess(database.db);
    await updateSettings(other.ctx, coreSettings, setMax(555));
    expect(service.current.generation).toBe(0);
    bus.gap();
    await until(() => service.current.core.rateLimiting.maxRequests === 555, 900);
  });

  test("by a start that cannot read them, too: defaults hold until it can", async () => {
    const { db, disturb } = disturbable(database.db);
    const other = await startProcess(database.db);
    await updateSettings(other.ctx, coreSettings, setMax(666));
    disturb(async () => {
      throw new Error("away");
    });
    const { service, logged } = await startProcess(db, createBus());
    expect(service.current.core).toEqual(coreSettings.defaults);
    expect(logged.map(({ level }) => level)).toContain("error");
    disturb(null);
    await until(() => service.current.core.rateLimiting.maxRequests === 666, 3_000);
  });
});

describe("a change that was saved on one server", () => {
  let server: TestDatabaseServer;
  beforeAll(async () => {
    server = await startTestDatabaseServer({ isMigrated: true });
  });
  afterAll(() => server.close());

  const startServer = async (url: string) => {
    const handle = openPostgres(url);
    endings.push(handle.close);
    const log = createRecordingLog();
    const bus = await createPostgresEventBus({
      ...{ handle, log },
      link: createRedisLink({ clock: systemClock, log }),
    });
    endings.push(bus.close);
    return { ...(await startProcess(handle.db, bus)), bus };
  };

  test("acts on another within a second, and on its own before the answer", async () => {
    const [one, two] = [await startServer(server.url), await startServer(server.url)];
    for (const maxRequests of [110, 120, 130, 140, 150]) {
      await updateSettings(one.ctx, coreSettings, setMax(maxRequests));
      expect(one.service.current.core.rateLimiting.maxRequests).toBe(maxRequests);
      const tookMs = await until(
        () => two.service.current.core.rateLimiting.maxRequests === maxRequests,
        1_000,
      );
      expect(tookMs).toBeLessThan(1_000);
    }
    await updateCredentials(two.ctx, { redis: { endpoint: "redis://redis.example", password: "p" } });
    await until(() => one.service.current.redis?.password === "p", 1_000);
  });

  test("acts on one that hears nothing as soon as it asks, which it does each second", async () => {
    const one = await startServer(server.url);
    const silent: EventBus = { publish: () => {}, subscribe: () => () => {}, isConnected: false };
    const asking = await startProcess(one.ctx.db, silent);
    await updateSettings(one.ctx, coreSettings, setMax(777));
    const tookMs = await until(() => asking.service.current.core.rateLimiting.maxRequests === 777, 2_000);
    expect(tookMs).toBeLessThan(2_000);
  });
});

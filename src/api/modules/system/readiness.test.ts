import { expect, test } from "bun:test";
import { AppError } from "#api/core/app-error.ts";
import { noMetrics } from "#api/core/metrics.ts";
import { noServices } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { createTestHost, operatorClient } from "#api/testing/host.ts";
import type { ServiceState } from "#contract/settings.ts";
import { createReadiness } from "./readiness.ts";

const host = await hostForFile({ metrics: { ...noMetrics, isAllowed: (bearer) => bearer === "right" } });

/** Readiness in a world that differs from one in which everything works. */
const readinessOf = (world: Partial<Parameters<typeof createReadiness>[0]>, isDraining = () => false) =>
  createReadiness({ ...host.services, ...world }, isDraining);

const failureOf = async (work: Promise<unknown>): Promise<AppError> => {
  const thrown = await work.then(
    () => null,
    (error) => error,
  );
  if (!(thrown instanceof AppError)) throw new Error("it was not refused");
  return thrown;
};

test("strangers read a word alone, whatever cookie they have; the operator and the metrics' bearer see the parts", async () => {
  const [member, admin] = [await host.signedIn("user"), await host.signedIn("admin")];
  for (const who of [host.visitor(), member, admin])
    expect(await (await who.call("GET", "/api/ready")).json()).toEqual({ success: true, status: "ready" });
  const wrong = await host.visitor().call("GET", "/api/ready", undefined, { authorization: "Bearer wrong" });
  expect(await wrong.json()).toEqual({ success: true, status: "ready" });
  const seen = [
    await host.visitor().call("GET", "/api/ready", undefined, { authorization: "Bearer right" }),
    await operatorClient(host).call("GET", "/api/ready"),
  ];
  for (const response of seen)
    expect((await response.json()).parts.database).toEqual({
      state: "up",
      note: null,
      since: expect.any(String),
    });
});

test("wrong bearers wait after twenty a minute, counted with those of the metrics; the right one and no bearer never do", async () => {
  const peer = "198.51.100.20";
  const ask = async (bearer: string | null, path = "/api/ready") =>
    host.request(path, { headers: bearer === null ? {} : { authorization: `Bearer ${bearer}` } }, peer);
  for (let round = 0; round < 20; round += 1) {
    const path = round % 2 === 0 ? "/api/ready" : "/api/metrics";
    expect((await ask(`wrong-${round}`, path)).status).toBe(round % 2 === 0 ? 200 : 401);
  }
  for (const path of ["/api/ready", "/api/metrics"]) {
    const refused = await ask("wrong", path);
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
  }
  expect(Object.keys(await (await ask("right")).json())).toContain("parts");
  for (let round = 0; round < 30; round += 1)
    expect(await (await ask(null)).json()).toEqual({ success: true, status: "ready" });
});

test("under a name that is not served a bearer opens nothing, and costs nothing", async () => {
  const peer = "198.51.100.21";
  const ask = (bearer: string, name: string) =>
    host.request("/api/ready", { headers: { authorization: `Bearer ${bearer}`, host: name } }, peer);
  for (let round = 0; round < 30; round += 1)
    expect(await (await ask(round % 2 === 0 ? "wrong" : "right", "10.0.0.7:3000")).json()).toEqual({
      success: true,
      status: "ready",
    });
  expect((await ask("wrong", "localhost")).status).toBe(200);
  expect(Object.keys(await (await ask("right", "localhost")).json())).toContain("parts");
});

test("where no token is set, no bearer is refused", async () => {
  const own = await createTestHost();
  for (let round = 0; round < 25; round += 1) {
    const headers = { authorization: "Bearer x" };
    expect((await own.request("/api/ready", { headers })).status).toBe(200);
  }
  await own.close();
});

test("admins see the parts at an address of their own, for which a session is looked up", async () => {
  const admin = await host.signedIn("admin");
  const { data } = await (await admin.call("GET", "/api/system/readiness")).json();
  expect([data.status, data.parts.plugins.state]).toEqual(["ready", "up"]);
});

test("what is set up and away degrades, and is told with the moment since when", async () => {
  const away: ServiceState = { ...noServices.redis(), state: "away", reason: "refused" };
  let redis = away;
  const readiness = readinessOf({ serviceStates: { ...noServices, redis: () => redis } });
  const first = await readiness.read();
  expect(first).toMatchObject({ status: "degraded", parts: { redis: { state: "away", note: "refused" } } });
  host.clock.advance(60_000);
  expect((await readiness.read()).parts.redis.since).toBe(first.parts.redis.since);
  redis = { ...away, state: "up", reason: null };
  host.clock.advance(2_000);
  const healed = await readiness.read();
  expect(healed.status).toBe("ready");
  expect(healed.parts.redis.since).not.toBe(first.parts.redis.since);
});

test("emails that do not leave, a storage that does not answer and a failed plugin degrade", async () => {
  const outbox = { ...host.services.outbox, health: () => ({ isHealthy: false, lastError: "no route" }) };
  const storage = () => Promise.reject(new Error("no"));
  const plugins = { ...host.plugins, states: () => [{ name: "notes", state: "failed" as const }] };
  const worlds = [{ outbox }, { serviceStates: { ...noServices, storage } }, { plugins }];
  for (const world of worlds) expect((await readinessOf(world).read()).status).toBe("degraded");
  const { parts } = await readinessOf({ plugins }).read();
  expect(parts.plugins).toMatchObject({ state: "degraded", note: "notes: failed" });
});

test("a disk that is nearly full degrades on either database, and the reason says what fails", async () => {
  const disk = { read: () => ({ freeBytes: 12_000_000, isLow: true }) };
  const embedded = await readinessOf({ disk }).read();
  expect(embedded).toMatchObject({
    status: "degraded",
    parts: { disk: { state: "degraded", note: "12 MB are left: writes are refused" } },
  });
  const database = { ...host.services.database, kind: "postgres" as const };
  const beside = await readinessOf({ disk, database }).read();
  expect(beside.parts.disk).toMatchObject({
    state: "degraded",
    note: "12 MB are left: backups and files of plugins may not fit",
  });
  const unknown = { read: () => ({ freeBytes: null, isLow: false }) };
  expect((await readinessOf({ disk: unknown }).read()).parts.disk).toMatchObject({ state: "up", note: null });
});

test("without the database, and while the server drains, the answer is 503 with the word", async () => {
  const check = () => Promise.reject(new AppError("DB_UNAVAILABLE"));
  const lost = await failureOf(readinessOf({ database: { ...host.services.database, check } }).read());
  expect([lost.kind, lost.data, lost.retryAfterS]).toEqual(["DB_UNAVAILABLE", { status: "unavailable" }, 1]);
  const own = await createTestHost();
  own.app.drain();
  const response = await own.visitor().call("GET", "/api/ready");
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await response.json()).toMatchObject({ code: "SHUTTING_DOWN", data: { status: "draining" } });
  expect((await own.visitor().call("GET", "/api/health")).status).toBe(200);
  await own.close();
});

test("parts are checked once a second, however many ask", async () => {
  let looked = 0;
  const storage = async () => {
    looked += 1;
    return noServices.storage();
  };
  const readiness = readinessOf({ serviceStates: { ...noServices, storage } });
  await Promise.all(Array.from({ length: 50 }, () => readiness.read()));
  expect(looked).toBe(1);
  host.clock.advance(1_000);
  await readiness.read();
  expect(looked).toBe(2);
});

import { afterAll, beforeAll, expect, setDefaultTimeout } from "bun:test";
import { inOrder } from "#api/testing/in-order.ts";
import { until } from "#api/testing/until.ts";
import { createPerson } from "../driver/person.ts";
import { asOperator } from "../driver/plugin-caller.ts";
import { nextPlace } from "../faults/api-load.ts";
import { type Replica, type ReplicaStage, startReplicas } from "./replica-stage.ts";

setDefaultTimeout(60_000);

let stage: ReplicaStage;
beforeAll(async () => {
  stage = await startReplicas(2);
});
afterAll(() => stage.close());

const step = inOrder(240_000);
const replicaAt = (turn: number): Replica => {
  const replica = stage.replicas[turn % stage.replicas.length];
  if (replica === undefined) throw new Error("there are no replicas");
  return replica;
};
const ask = async (turn: number, path: string, method = "GET", body?: unknown) =>
  Object((await stage.operate(replicaAt(turn), method, `/api/firewall${path}`, body)).data);
/** A visitor's request to one of the servers; its status. */
const visit = async (turn: number, place: string, path: string) =>
  (await createPerson(stage.proxy.origin, place, replicaAt(turn).server.url).call("GET", path)).status;
const everywhere = async (holds: (turn: number) => Promise<boolean>): Promise<boolean> =>
  (await Promise.all(stage.replicas.map((_, turn) => holds(turn)))).every(Boolean);

const attackPath = "/api/auth/providers?id=1%27%20OR%20%271%27=%271%27--%20";
const mostVisibleMs = 1_000;

step("the firewall that is turned on at one is on at both", async () => {
  expect((await asOperator(replicaAt(0).server.dataDir).toggle("firewall", true)).status).toBe(200);
  await until(() =>
    everywhere(async (turn) => {
      const { status } = await fetch(`${replicaAt(turn).server.url}/api/firewall/status`);
      return status === 401;
    }),
  );
  await stage.operate(replicaAt(0), "PUT", "/api/auth/settings/core", {
    rateLimiting: { maxRequests: 20, windowMs: 60_000 },
  });
  const switches = { masterSwitchEnabled: true, rateLimitingEnabled: true };
  await ask(1, "/config", "PUT", { ...switches, bansEnabled: true, banAfterBlocks: 4 });
  await until(() => everywhere(async (turn) => (await ask(turn, "/status")).masterSwitchEnabled === true));
});

const passesExactly = async () => {
  const place = nextPlace();
  const statuses = await Promise.all(
    Array.from({ length: 60 }, (_, turn) => visit(turn, place, "/api/auth/providers")),
  );
  const counts = Map.groupBy(statuses, (status) => status);
  expect([counts.get(200)?.length, counts.get(429)?.length]).toEqual([20, 40]);
};
const counts = (where: string) =>
  until(
    () =>
      everywhere(async (turn) => {
        await visit(turn, nextPlace(), "/api/auth/providers");
        return (await ask(turn, "/status")).counting.includes(where);
      }),
    30_000,
  );

step("a limit of 20 lets exactly 20 of 60 pass that arrive at both, counted in Redis", async () => {
  await counts("in Redis");
  await passesExactly();
});

step(
  "while Redis is away it lets exactly 20 pass, counted in PostgreSQL, and both servers say so",
  async () => {
    await stage.redis.kill();
    await counts("in the database");
    await passesExactly();
  },
);

step("and again in Redis once it is back", async () => {
  await stage.redis.restart();
  await counts("in Redis");
  await passesExactly();
});

const attacker = nextPlace();
const isBanned = async (turn: number) => (await visit(turn, attacker, "/about")) === 403;

step(
  "a ban follows four blocked requests at whichever server, and holds at both within a second",
  async () => {
    for (let turn = 0; turn < 3; turn += 1) expect(await visit(turn, attacker, attackPath)).toBe(403);
    expect(await everywhere(async (turn) => !(await isBanned(turn)))).toBe(true);
    expect(await visit(3, attacker, attackPath)).toBe(403);
    await until(() => everywhere(isBanned), mostVisibleMs);
  },
);

step("a ban that is lifted at one is lifted at the other within a second", async () => {
  const [ban] = (await ask(0, "/bans")).bans;
  await ask(1, "/bans/lift", "POST", { address: ban.address });
  await until(() => everywhere(async (turn) => !(await isBanned(turn))), mostVisibleMs);
});

step("the live traffic at one shows the requests to both", async () => {
  const shown = async () => (await ask(0, "/traffic")).rows.map(({ path }: { path: string }) => path);
  await shown();
  for (const turn of [0, 1]) await visit(turn, nextPlace(), `/about-${turn}`);
  await until(async () => {
    const paths = await shown();
    return paths.includes("/about-0") && paths.includes("/about-1");
  }, mostVisibleMs * 3);
});

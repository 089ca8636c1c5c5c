import { afterAll, beforeAll, describe, expect, setDefaultTimeout } from "bun:test";
import { inOrder } from "#api/testing/in-order.ts";
import { sized } from "#api/testing/size.ts";
import { until } from "#api/testing/until.ts";
import { removeFolder, StartFailure } from "../driver/start-server.ts";
import { makeNewerProgram, newerVersion } from "./newer-program.ts";
import { type Replica, type ReplicaStage, startReplicas } from "./replica-stage.ts";
import { type SteadyVisitors, startSteadyVisitors } from "./steady-visitors.ts";

setDefaultTimeout(sized(60_000, 600_000));

const perSecond = sized(60, 200);
const rounds = sized(1, 10);

let stage: ReplicaStage;
let visitors: SteadyVisitors;
let newer: string;
beforeAll(async () => {
  newer = makeNewerProgram();
  // The proxy asks ten times a second.
  stage = await startReplicas(2, { env: { STOP_DELAY: "1" } });
  visitors = await startSteadyVisitors(stage.proxy.origin, stage.admin, perSecond);
});
afterAll(async () => {
  await visitors.stop();
  await stage.close();
  removeFolder(newer);
});

const versionAt = async (replica: Replica): Promise<unknown> =>
  Object((await stage.operate(replica, "GET", "/api/system/info")).data).version;
const versions = () => Promise.all(stage.replicas.map(versionAt));

/** Nothing has failed so far, and since that count more than a second's worth of requests was sent. */
const expectNoFailure = (since: number): void => {
  const { sent, failures } = visitors.report();
  expect(failures).toEqual([]);
  expect(sent - since).toBeGreaterThan(perSecond);
};

const step = inOrder(sized(180_000, 1_800_000));

describe("X5: of two replicas behind a proxy that tries nothing twice, no request fails", () => {
  step("while one after the other is stopped and started", async () => {
    for (let round = 0; round < rounds; round += 1)
      for (const replica of stage.replicas) {
        const since = visitors.report().sent;
        expect(await replica.server.stop("SIGTERM")).toBe(0);
        await stage.restart(replica);
        expectNoFailure(since);
      }
  });

  step(
    "while a newer version takes their place, and has changed the database under the older one",
    async () => {
      const [one, other] = stage.replicas;
      if (one === undefined || other === undefined) throw new Error("there are no two replicas");
      const [older] = await versions();
      const since = visitors.report().sent;
      expect(await one.server.stop("SIGTERM")).toBe(0);
      await stage.restart(one, newer);
      expect(await versions()).toEqual([newerVersion, older]);
      // Both at once, for as long as it takes to look at the first.
      const answered = () => stage.proxy.counts().get(other.server.url) ?? 0;
      const before = answered();
      await until(() => answered() > before + sized(20, 1_000));
      expect(await other.server.stop("SIGTERM")).toBe(0);
      await stage.restart(other, newer);
      expect(await versions()).toEqual([newerVersion, newerVersion]);
      expectNoFailure(since);
    },
  );

  step("and everyone was answered, for all kinds of requests", async () => {
    const { failures, byKind } = await visitors.stop();
    expect(failures).toEqual([]);
    expect(Math.min(...byKind.values())).toBeGreaterThan(5);
  });
});

describe("X7: the older program", () => {
  step("does not start again on what the newer one has changed, and says why", async () => {
    const [one] = stage.replicas;
    if (one === undefined) throw new Error("there are no replicas");
    expect(await one.server.stop("SIGTERM")).toBe(0);
    const failure = await stage.restart(one).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartFailure);
    expect(String(failure)).toContain("The database is newer than this program");
  });
});

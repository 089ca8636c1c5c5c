import { afterAll, beforeAll, expect } from "bun:test";
import { migrate } from "#api/db/migrate.ts";
import { openPostgres } from "#api/db/postgres/open-postgres.ts";
import { generateKey } from "#api/plugin-host/package/keys.ts";
import { inOrder } from "#api/testing/in-order.ts";
import { packPlugin } from "#api/testing/plugin-package.ts";
import { createPluginWorld } from "#api/testing/plugin-world.ts";
import { until } from "#api/testing/until.ts";
import { removeFolder, type ServerProcess, startServer } from "../driver/start-server.ts";
import { type PostgresServer, startPostgres } from "./postgres.ts";

const name = "visitor-notes";
const permissions = ["routes", "storage.kv", "request.rules"];

const backend = (version: string): string => `export default {
  name: "${name}", version: "${version}",
  setup(ctx) {
    ctx.routes.get("/count", async () => ({ version: "${version}", count: await ctx.kv.incr("count") }));
    ctx.routes.post("/rules", async ({ body }) => { await ctx.guard.setRules(body); return null; });
    ctx.routes.get("/hang", () => { for (;;) {} });
  },
};`;
/** The publisher's, which the servers trust: new code that no one signed would ask for consent again. */
const key = generateKey();
const packed = (version: string) =>
  packPlugin({ version, backend: backend(version), manifest: { permissions }, privateKey: key.privateKey });

let postgres: PostgresServer;
let servers: ServerProcess[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  const env = {
    DATABASE_URL: await postgres.createDatabase(),
    APP_SECRET: "q7Yt2kLz9Vb4Xn1Rw6Jm3Pf8Hd5Gs0CaEuTi",
  };
  servers = [await startServer({ env })];
  servers.push(await startServer({ env }));
  await ask(0, "POST", "/api/admin/plugin-keys", { publicKey: key.publicKey, label: "Tests" });
});
afterAll(async () => {
  for (const server of servers) {
    await server.stop();
    removeFolder(server.dataDir);
  }
  postgres.stop();
});

/** As the operator of one of the servers. */
const ask = async (index: number, method: string, path: string, body?: unknown) => {
  const isForm = body instanceof FormData;
  const response = await fetch(`http://localhost${path}`, {
    ...{ method, unix: `${servers[index]?.dataDir}/control.sock` },
    ...(isForm ? { body } : {}),
    ...(isForm || body === undefined ? {} : jsonOf(body)),
  });
  const answer: unknown = await response.json();
  return { status: response.status, answer };
};
const jsonOf = (body: unknown) => ({
  body: JSON.stringify(body),
  headers: { "content-type": "application/json" },
});
const upload = async (index: number, version: string) => {
  const form = new FormData();
  form.set(
    "plugin",
    new File([Buffer.from(await packed(version))], "plugin.zip", { type: "application/zip" }),
  );
  return ask(index, "POST", "/api/plugins/upload", form);
};
const toggle = (index: number, enabled: boolean) =>
  ask(index, "POST", `/api/plugins/${name}/toggle`, { enabled, consent: enabled });
const count = (index: number) => ask(index, "GET", `/api/${name}/count`);

const step = inOrder();

step(
  "a plugin enabled on one server runs on the other within a second, with the same stored values",
  async () => {
    expect(await upload(0, "1.0.0")).toMatchObject({ status: 201 });
    expect((await count(0)).status).toBe(404);
    expect(await toggle(0, true)).toMatchObject({ status: 200 });
    expect(await count(0)).toEqual({ status: 200, answer: { version: "1.0.0", count: 1 } });
    await until(async () => (await count(1)).status === 200, 1_000);
    expect((await count(1)).answer).toEqual({ version: "1.0.0", count: 3 });
  },
);

step("both report the state of the plugin on each other", async () => {
  const seen = async (index: number) => {
    const { answer } = await ask(index, "GET", `/api/plugins/${name}`);
    const { data } = Object(answer);
    return data.replicas.map(({ state }: { state: string }) => state);
  };
  for (const index of [0, 1])
    await until(async () => JSON.stringify(await seen(index)) === '["running","running"]');
});

step("a rule for requests that it sets on one server holds on the other", async () => {
  const url = `${servers[1]?.url}/no-such-page`;
  expect((await fetch(url, { headers: { "user-agent": "bad-bot" } })).status).not.toBe(403);
  const rules = [{ kind: "pattern", action: "block", in: ["user-agent"], contains: ["bad-bot"] }];
  expect((await ask(0, "POST", `/api/${name}/rules`, rules)).status).toBe(200);
  for (const server of servers)
    await until(async () => {
      const answer = await fetch(`${server.url}/no-such-page`, { headers: { "user-agent": "bad-bot" } });
      return answer.status === 403;
    });
});

step("another version replaces it on both without a failed request", async () => {
  const statuses = new Set<number>();
  let isOver = false;
  const load = [0, 1].map(async (index) => {
    while (!isOver) statuses.add((await count(index)).status);
  });
  expect(await upload(1, "1.1.0")).toMatchObject({ status: 201 });
  for (const index of [0, 1])
    await until(async () => Object((await count(index)).answer).version === "1.1.0");
  isOver = true;
  await Promise.all(load);
  expect([...statuses]).toEqual([200]);
});

step(
  "a handler that hangs on one server is over within two seconds, and the other does not notice",
  async () => {
    const began = performance.now();
    const hanging = ask(0, "GET", `/api/${name}/hang`);
    expect((await count(1)).status).toBe(200);
    expect((await hanging).status).toBe(503);
    await until(async () => (await count(0)).status === 200);
    expect(performance.now() - began).toBeLessThan(2_000);
  },
);

step("disabled on one server it is gone on the other, with its rules", async () => {
  expect(await toggle(1, false)).toMatchObject({ status: 200 });
  expect((await count(1)).status).toBe(404);
  await until(async () => (await count(0)).status === 404);
  for (const server of servers)
    await until(async () => {
      const answer = await fetch(`${server.url}/no-such-page`, { headers: { "user-agent": "bad-bot" } });
      return answer.status !== 403;
    });
});

step("stored data is brought to another version by one server, while the other waits", async () => {
  const handle = openPostgres(await postgres.createDatabase());
  try {
    await migrate(handle);
    const world = createPluginWorld(handle.db);
    await world.install({ version: "2.0.0", columns: { migratedVersion: "1.0.0" } });
    const hosts = [world.createHost({ isShared: true }), world.createHost({ isShared: true })];
    for (const { host, runtimes } of hosts) {
      runtimes.behave({ migrate: () => Bun.sleep(300) });
      host.start();
    }
    for (const { host } of hosts) await until(() => host.observe(name).state === "running");
    expect(hosts.flatMap(({ runtimes }) => runtimes.last().migratedFrom)).toEqual(["1.0.0"]);
    expect((await world.row()).migratedVersion).toBe("2.0.0");
    await world.close();
  } finally {
    await handle.close();
  }
});

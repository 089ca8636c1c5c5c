import { afterAll, beforeAll, expect } from "bun:test";
import { inOrder } from "#api/testing/in-order.ts";
import { packPlugin } from "#api/testing/plugin-package.ts";
import { removeFolder, type ServerProcess, startServer } from "../driver/start-server.ts";

const names = ["notes-one", "notes-two", "notes-three", "notes-four", "notes-five", "notes-six"];
/** Starts once, and never again: the second setup does not end. */
const backend = (name: string): string => `export default {
  name: "${name}", version: "1.0.0",
  async setup(ctx) {
    ctx.routes.get("/hello", () => "hello");
    if ((await ctx.kv.incr("starts")) > 1) await new Promise(() => {});
  },
};`;

let server: ServerProcess;
let dataDir: string;

beforeAll(async () => {
  server = await startServer();
  dataDir = server.dataDir;
});
afterAll(async () => {
  await server.stop();
  removeFolder(dataDir);
});

/** As the operator. */
const ask = async (method: string, path: string, body?: FormData | object) => {
  const init = body instanceof FormData ? { body } : jsonOf(body);
  const response = await fetch(`http://localhost${path}`, {
    method,
    unix: `${dataDir}/control.sock`,
    ...init,
  });
  const answer: unknown = await response.json();
  return { status: response.status, answer };
};
const jsonOf = (body: object | undefined) =>
  body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };

type Listed = { name: string; state: string; enabled: boolean };

/** The plugins of this file: those that ship with the product are there too. */
const listed = async (): Promise<Listed[]> => {
  const { answer } = await ask("GET", "/api/plugins");
  return Object(answer).data.filter(({ name }: Listed) => names.includes(name));
};
const statesOf = async (): Promise<string[]> => (await listed()).map(({ state }) => state);

const step = inOrder();

step("plugins that are installed and enabled run", async () => {
  for (const name of names) {
    const form = new FormData();
    const manifest = { permissions: ["routes", "storage.kv"] };
    const bytes = await packPlugin({ name, backend: backend(name), manifest });
    form.set("plugin", new File([Buffer.from(bytes)], "plugin.zip", { type: "application/zip" }));
    expect(await ask("POST", "/api/plugins/upload", form)).toMatchObject({ status: 201 });
    const toggle = { enabled: true, consent: true };
    expect(await ask("POST", `/api/plugins/${name}/toggle`, toggle)).toMatchObject({ status: 200 });
  }
  expect(await statesOf()).toEqual(names.map(() => "running"));
});

step(
  "a server of which every plugin hangs is ready within ten seconds, and can be looked after",
  async () => {
    expect(await server.stop()).toBe(0);
    server = await startServer({ dataDir });
    expect(server.startMs).toBeLessThan(10_000);
    expect((await fetch(`${server.url}/api/ready`)).status).toBe(200);
    const states = await statesOf();
    expect(states.filter((state) => state === "running")).toEqual([]);
    expect((await ask("GET", `/api/${names[0]}/hello`)).status).toBe(503);
    const began = performance.now();
    expect(await ask("POST", `/api/plugins/${names[0]}/toggle`, { enabled: false })).toMatchObject({
      status: 200,
    });
    expect(performance.now() - began).toBeLessThan(2_000);
    expect((await ask("GET", `/api/${names[0]}/hello`)).status).toBe(404);
  },
);

step("with --safe-mode no plugin is started, and the next start without it is as before", async () => {
  expect(await server.stop()).toBe(0);
  server = await startServer({ dataDir, options: ["--safe-mode"] });
  expect(new Set(await statesOf())).toEqual(new Set(["disabled"]));
  expect((await listed()).filter(({ enabled }) => enabled)).toHaveLength(names.length - 1);
  expect((await ask("GET", `/api/${names[1]}/hello`)).status).toBe(404);
});

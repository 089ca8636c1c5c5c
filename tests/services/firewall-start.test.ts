import { afterAll, beforeAll, expect, test } from "bun:test";
import { until } from "#api/testing/until.ts";
import { removeFolder, type ServerProcess, startServer } from "../driver/start-server.ts";

let server: ServerProcess;
let dataDir: string;

/** As the operator: through the control socket. */
const ask = async (method: string, path: string, body: object): Promise<void> => {
  const response = await fetch(`http://localhost${path}`, {
    method,
    unix: `${dataDir}/control.sock`,
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });
  expect({ path, status: response.status }).toEqual({ path, status: 200 });
};
const toggle = (plugin: string, enabled: boolean) =>
  ask("POST", `/api/plugins/${plugin}/toggle`, { enabled });

beforeAll(async () => {
  server = await startServer();
  dataDir = server.dataDir;
});
afterAll(async () => {
  await server.stop();
  removeFolder(dataDir);
});

/** Starts the server again while a request is made without a pause, and gives the statuses of all answers. */
const statusesOfStart = async (path: string): Promise<number[]> => {
  await server.stop();
  const statuses: number[] = [];
  let isOver = false;
  let isStarted = false;
  let askedAfter = 0;
  const starting = startServer({ dataDir, port: Number(new URL(server.url).port), isLimited: true });
  const calling = (async () => {
    while (!isOver) {
      const status = await fetch(`${server.url}${path}`).then(
        (answer) => answer.status,
        () => 0,
      );
      if (status !== 0) statuses.push(status);
      if (isStarted) askedAfter += 1;
      await Bun.sleep(5);
    }
  })();
  server = await starting;
  isStarted = true;
  await until(() => askedAfter >= 20);
  isOver = true;
  await calling;
  return statuses;
};

test("from the first response after a start, nothing gets past the firewall", async () => {
  await toggle("firewall", true);
  await ask("POST", "/api/firewall/on", {});
  for (let start = 0; start < 3; start += 1) {
    const statuses = await statusesOfStart("/about?file=../../etc/passwd");
    expect(statuses.filter((status) => status !== 503 && status !== 403)).toEqual([]);
    expect(statuses).toContain(403);
  }
  await toggle("firewall", false);
});

test("from the first response after a start, nothing gets past the rules of another plugin", async () => {
  await toggle("plugin-template", true);
  await ask("PUT", "/api/plugin-template/guard", { word: "not-in-my-house" });
  for (let start = 0; start < 3; start += 1) {
    const statuses = await statusesOfStart("/contact?word=not-in-my-house");
    expect(statuses.filter((status) => status !== 503 && status !== 403)).toEqual([]);
    expect(statuses).toContain(403);
  }
});

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { removeFolder, type ServerProcess, startServer } from "../driver/start-server.ts";

setDefaultTimeout(60_000);

let server: ServerProcess;
let dataDir: string;

beforeAll(async () => {
  server = await startServer();
  dataDir = server.dataDir;
  for (const [path, body] of [
    ["/api/plugins/firewall/toggle", { enabled: true }],
    ["/api/firewall/on", {}],
  ] as const) {
    const response = await fetch(`http://localhost${path}`, {
      method: "POST",
      unix: `${dataDir}/control.sock`,
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
    expect(response.status).toBe(200);
  }
});
afterAll(async () => {
  await server.stop();
  removeFolder(dataDir);
});

test("from the first answer after a start on, nothing gets past the firewall", async () => {
  for (let start = 0; start < 3; start += 1) {
    await server.stop();
    const statuses: number[] = [];
    let isOver = false;
    const starting = startServer({ dataDir, port: Number(new URL(server.url).port), isLimited: true });
    const attacking = (async () => {
      while (!isOver) {
        const attack = fetch(`${server.url}/about?file=../../etc/passwd`).then(({ status }) => status);
        const status = await attack.catch(() => 0);
        if (status !== 0) statuses.push(status);
        await Bun.sleep(5);
      }
    })();
    server = await starting;
    await Bun.sleep(200);
    isOver = true;
    await attacking;
    expect(statuses.filter((status) => status !== 503 && status !== 403)).toEqual([]);
    expect(statuses).toContain(403);
  }
});

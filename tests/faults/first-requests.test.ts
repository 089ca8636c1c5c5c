import { afterAll, beforeAll, expect, test } from "bun:test";
import { removeFolder, type ServerProcess, startServer } from "../driver/start-server.ts";

let server: ServerProcess;
beforeAll(async () => {
  server = await startServer();
}, 60_000);
afterAll(async () => {
  await server.stop("SIGKILL");
  removeFolder(server.dataDir);
});

test("from the moment the port opens, clients that waited for it get a response", async () => {
  expect(await server.stop("SIGTERM")).toBe(0);
  const said = new Set<number>();
  let isOver = false;
  const knock = async (): Promise<void> => {
    while (!isOver) {
      // As a proxy tries again and again.
      const answer = await fetch(`${server.url}/api/plugins`, { keepalive: false }).catch(() => null);
      if (answer !== null) said.add(answer.status);
      await Bun.sleep(2);
    }
  };
  const knocking = Array.from({ length: 8 }, knock);
  server = await startServer({ dataDir: server.dataDir, port: Number(new URL(server.url).port) });
  while (said.size === 0) await Bun.sleep(5);
  isOver = true;
  await Promise.all(knocking);
  expect([...said]).toEqual([200]);
}, 60_000);

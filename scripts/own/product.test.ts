import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { removeFolder, type ServerProcess, startServer } from "../../tests/driver/start-server.ts";
import { projectRoot } from "../project-root.ts";

setDefaultTimeout(90_000);

let server: ServerProcess;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.stop();
  removeFolder(server.dataDir);
});

test("the product starts, and each page opens for visitors or sends them to sign in", async () => {
  expect((await fetch(`${server.url}/api/ready`)).status).toBe(200);
  const { pages } = await Bun.file(join(projectRoot, "dist/ui/manifest.json")).json();
  const paths = Object.keys(pages).filter((path) => !/[:*]/.test(path));
  expect(paths).toContain("/");
  const opened = await Promise.all(
    paths.map(async (path) => [
      path,
      pages[path].access,
      (await fetch(`${server.url}${path}`, { redirect: "manual" })).status,
    ]),
  );
  for (const [path, access, status] of opened)
    expect([path, status]).toEqual([path, access === "user" || access === "admin" ? 302 : 200]);
});

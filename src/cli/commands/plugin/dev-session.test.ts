import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "#cli/testing/run.ts";
import { devVersion } from "./plugin-dev.ts";

let folder = "";
let server: ReturnType<typeof startServer>;
let interrupt = new AbortController();
let calls: string[] = [];
let isEnabled = false;

const plugin = {
  name: "tried",
  title: "Tried",
  version: "0.1.0-dev.1",
  state: "running",
  pendingVersion: null,
};
const consentRequired = () =>
  Response.json(
    {
      ...{ success: false, code: "CONSENT_REQUIRED", message: "asks", requestId: "r" },
      data: {
        ...{ version: "0.1.0-dev.1", sha256: "ab".repeat(32) },
        ...{ permissions: [{ name: "routes" }], signature: { state: "unsigned" } },
      },
    },
    { status: 409 },
  );

/** How often the lines of the log were asked for, and when it is interrupted. */
let [looks, lastLook] = [0, Number.POSITIVE_INFINITY];

const answer = async (request: Request): Promise<Response> => {
  const { pathname } = new URL(request.url);
  if (pathname.endsWith("/logs")) {
    looks += 1;
    if (looks === lastLook) interrupt.abort();
    const at = new Date(Date.now() + 60_000).toISOString();
    const lines = [{ id: 1, at, level: "info", message: "hello from the plugin", replica: "r" }];
    return Response.json({
      success: true,
      data: { lines: request.url.endsWith("after=0") ? lines : [] },
    });
  }
  calls.push(pathname);
  if (pathname.endsWith("/upload")) {
    const file: unknown = (await request.formData()).get("plugin");
    const size = file instanceof File ? file.size : 0;
    expect(size).toBeGreaterThan(500);
    return Response.json({ success: true, data: { ...plugin, enabled: isEnabled } });
  }
  const { consent } = Object(await request.json());
  if (consent !== true) return consentRequired();
  isEnabled = true;
  return Response.json({ success: true, data: { ...plugin, enabled: true } });
};
const startServer = () => Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "atrium-dev-"));
  await run(["plugin", "create", "tried", "--dir", folder]);
  server = startServer();
  interrupt = new AbortController();
  calls = [];
  isEnabled = false;
  [looks, lastLook] = [0, Number.POSITIVE_INFINITY];
});
afterEach(async () => {
  await server.stop(true);
  await rm(folder, { recursive: true });
});

const develop = (onErr: (all: string) => unknown, words: string[], typed?: string[]) => {
  const argv = ["plugin", "dev", folder, "--url", server.url.origin, ...words];
  return run(argv, { interrupt: interrupt.signal, onErr, ...(typed ? { typed } : {}) });
};

test("a plugin is built, switched on with consent, built again at a change, and its log is shown", async () => {
  let step = 0;
  const { code, out, err } = await develop(
    async (all) => {
      if (step === 0 && all.includes("Watching")) {
        step = 1;
        await writeFile(join(folder, "backend/index.ts"), "const a = ;");
      }
      if (step === 1 && all.includes("backend/index.ts:1:11: Unexpected ;")) {
        step = 2;
        await writeFile(join(folder, "backend/index.ts"), "export default {};");
      }
      if (step === 2 && all.split("0.1.0-dev.1: running").length === 3) {
        step = 3;
        // Whoever looks again has shown what was there.
        lastLook = looks + 2;
      }
    },
    ["--yes"],
  );
  expect(code).toBe(0);
  expect(err).toContain("tried needs these permissions:");
  expect(out).toContain("hello from the plugin");
  expect(err).toEndWith("The plugin was not changed.\n");
  expect(calls).toEqual([
    "/api/plugins/upload",
    "/api/plugins/tried/toggle",
    "/api/plugins/tried/toggle",
    "/api/plugins/upload",
  ]);
});

test("when the answer is no, it keeps watching, and asks again at the next change", async () => {
  let step = 0;
  const { code, err } = await develop(
    async (all) => {
      if (step === 0 && all.includes("Watching")) {
        step = 1;
        await writeFile(join(folder, "backend/index.ts"), "export default {};");
      }
      if (step === 1 && all.includes("0.1.0-dev.1: running")) {
        step = 2;
        interrupt.abort();
      }
    },
    [],
    ["n", "y"],
  );
  expect(code).toBe(0);
  expect(err.split("Grant these permissions to tried?")).toHaveLength(3);
});

test("without a terminal it ends as wrong usage; Ctrl-C at the question ends it too", async () => {
  const silent = await develop(() => undefined, []);
  expect(silent.code).toBe(2);
  expect(silent.err).toContain("add --yes");
  const cancelled = await develop(() => undefined, [], []);
  expect(cancelled.code).toBe(1);
  expect(isEnabled).toBe(false);
});

test("without a running server it says how to start one", async () => {
  const { code, err } = await run(["plugin", "dev", folder]);
  expect(code).toBe(3);
  expect(err).toContain("atrium serve");
  expect((await run(["plugin", "dev", join(folder, "absent")])).code).toBe(2);
});

test("versions of a plugin that is being written grow, and come before the one it will have", () => {
  expect(devVersion("1.2.0", 5)).toBe("1.2.0-dev.5");
  expect(devVersion("1.2.0-beta.1+build", 5)).toBe("1.2.0-beta.1.dev.5");
  const versions = [devVersion("1.2.0", 9), devVersion("1.2.0", 10), "1.2.0"];
  expect(versions.toSorted(Bun.semver.order)).toEqual(versions);
});

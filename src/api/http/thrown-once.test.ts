import { afterAll, describe, expect, test } from "bun:test";
import type { Services } from "#api/core/context.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { goodCalls } from "#api/testing/good-calls.ts";
import { operatorClient } from "#api/testing/host.ts";
import type { GoodCall } from "#api/testing/mutate-request.ts";
import { packPlugin } from "#api/testing/plugin-package.ts";
import { readRefusal } from "#api/testing/read-refusal.ts";

const secret = "what-is-wrong-inside-canary";
const rejections: unknown[] = [];
const noteRejection = (reason: unknown): void => void rejections.push(reason);

process.on("unhandledRejection", noteRejection);
const host = await hostForFile({ hasher: createCheapHasher() });
const admin = await host.signedIn("admin");
const zip = new Uint8Array(await packPlugin({ name: "visitor-notes", version: "1.0.0" }));
afterAll(async () => {
  process.off("unhandledRejection", noteRejection);
});

/** What handlers work with, in the place of which they find something that throws whatever is asked of it. */
const broken = [
  ...["db", "lookups", "database", "outbox", "connectionTests", "serviceStates", "plugins", "objects"],
  ...["providers", "secrets", "mail", "cache", "hasher", "process", "backups"],
] as const;

/** Has a call made while all of them are broken; its answer, and how often something was thrown. */
const whileBroken = async (call: () => Promise<Response>) => {
  let thrown = 0;
  const bug = (): never => {
    thrown += 1;
    throw new Error(secret);
  };
  const kept: Partial<Services> = { ...host.services };
  for (const key of broken) Reflect.set(host.services, key, new Proxy({}, { get: bug, has: bug }));
  try {
    const response = await call();
    return { response, thrown };
  } finally {
    Object.assign(host.services, kept);
  }
};

/** A good call, as the admin or, where only they may, as the operator. */
const send = async ({ method, path, query, body }: GoodCall): Promise<Response> => {
  const target = query === undefined ? path : `${path}?${new URLSearchParams(query)}`;
  const form = new FormData();
  form.set("plugin", new File([zip], "plugin.zip", { type: "application/zip" }));
  const answer = await admin.call(method, target, uploads.includes(path) ? form : body);
  if (answer.status !== 403) return answer;
  return operatorClient(host).call(method, target, body);
};

const uploads = ["/api/plugins/inspect", "/api/plugins/upload"];

/** Routes whose handlers ask for nothing that can be broken: what they say is in memory by then. */
const selfContained = [
  "GET /api/health",
  "GET /api/metrics",
  "GET /api/auth/user",
  "GET /api/account/session",
  // Without the cookie of the first step nothing is looked up.
  "POST /api/auth/login/factor",
  "POST /api/auth/login/factor/ceremony",
  // Without a token no provider is looked at.
  "POST /api/auth/none/backchannel-logout",
  "GET /api/admin/activity/stream",
  "GET /api/admin/tokens/current",
  "POST /api/plan/none",
  "POST /mcp",
  "GET /api/plugins/visitor-notes/starter",
  "GET /api/plugins/site-scripts",
  "GET /api/plugin-host/manifest.schema.json",
  "GET /api/plugins/visitor-notes/assets/0123456789ab/frontend/index.js",
  "GET /api/plugins/visitor-notes/frame",
  "GET /swagger/json",
  "GET /api/plugin-host/react.js",
];

/** Tell of what fails in their answer: that is what they are asked for. */
const reports = ["GET /api/system/support"];

/** What browsers are led to says so on a page instead. */
const isFailurePage = ({ status, headers }: Response): boolean =>
  status === 302 && headers.get("location") === "/login?error=auth_failed";

describe("X12: whatever a handler throws is answered with 500 and nothing of it, logged whole, and harms no other call:", () => {
  test.each(goodCalls.map((call) => [`${call.method} ${call.path}`, call] as const))(
    "%s",
    async (name, call) => {
      host.logs.length = 0;
      // What an earlier call found is remembered for a second.
      host.clock.advance(1_001);
      const { thrown, response } = await whileBroken(() => send(call));
      if (response.headers.get("content-type") === "text/event-stream") await response.body?.cancel();
      expect(thrown === 0).toBe(selfContained.includes(name));
      if (thrown > 0 && !isFailurePage(response) && !reports.includes(name)) {
        expect(await readRefusal(response, [secret])).toMatchObject({ code: "INTERNAL" });
        const told = host.logs.filter(({ level }) => level === "error");
        expect(told.map(({ fields }) => fields?.requestId)).toEqual([response.headers.get("x-request-id")]);
        expect(JSON.stringify(told)).toContain(secret);
      }
      expect((await admin.call("GET", "/api/admin")).status).toBe(200);
      expect(rejections).toEqual([]);
    },
  );
});

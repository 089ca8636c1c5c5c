import { beforeEach, describe, expect, test } from "bun:test";
import { createTraffic } from "#api/plugin-host/native/native-host.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { rawCall } from "#api/testing/raw-call.ts";
import type { ResponseShaper } from "#plugins/sdk/native-types.ts";
import { noPlugins } from "./plugin-entrance.ts";

const failures: string[] = [];
const traffic = createTraffic((plugin, reason) => void failures.push(`${plugin}: ${reason}`));
const host = await hostForFile({ entrance: () => ({ ...noPlugins, traffic }) });
const admin = await host.signedIn("admin");
beforeEach(() => {
  traffic.remove("quick");
  failures.length = 0;
});

const shaped = (shaper: Partial<ResponseShaper>) =>
  traffic.set("quick", { inspector: null, shaper: { isIdle: false, ...shaper } });

describe("a plugin that changes responses", () => {
  test("sees each one last, and can replace it", async () => {
    shaped({
      shape: ({ route }, response, { isAnonymous }) => {
        const headers = new Headers(response.headers);
        headers.set("content-type", "text/plain");
        headers.set("x-seen", `${route} ${isAnonymous} ${headers.has("x-request-id")}`);
        return new Response("shaped", { status: response.status, headers });
      },
    });
    // What takes an answer's place need not be what the document says of it.
    const own = await rawCall(host, admin, { method: "GET", path: "/api/auth/user", body: null });
    expect([own.status, await own.text(), own.headers.get("x-seen")]).toEqual([
      ...[200, "shaped", "/api/auth/user false true"],
    ]);
    const foreign = await rawCall(
      host,
      { cookie: null },
      { method: "GET", path: "/api/admin/users/x", body: null },
    );
    expect(foreign.headers.get("x-seen")).toBe("/api/admin/users/:user true true");
  });

  test("can send visitors cached responses, with a request ID of their own", async () => {
    shaped({ reuse: ({ path }) => new Response(`kept ${path}`, { headers: { "x-request-id": "old" } }) });
    const page = await host.request("/about");
    expect(await page.text()).toBe("kept /about");
    expect(page.headers.get("x-request-id")).not.toBe("old");
    const path = "/api/auth/providers";
    const call = await rawCall(host, { cookie: null }, { method: "GET", path, body: null });
    expect(await call.text()).toBe(`kept ${path}`);
  });

  test("is never asked for cached responses of requests with credentials, changes, or routes that visitors cannot use", async () => {
    shaped({ reuse: () => new Response("kept") });
    expect(await (await admin.call("GET", "/api/auth/user")).text()).not.toBe("kept");
    const token = { headers: { authorization: "Bearer x" } };
    expect(await (await host.request("/api/auth/providers", token)).text()).not.toBe("kept");
    expect(await (await host.visitor().call("POST", "/api/contact", {})).text()).not.toBe("kept");
    expect((await host.request("/api/admin/users")).status).toBe(401);
  });

  test("leaves responses unchanged while it is idle, and when it throws", async () => {
    const wrong = () => {
      throw new Error("broken");
    };
    shaped({ isIdle: true, reuse: wrong, shape: wrong });
    expect((await host.request("/api/auth/user")).status).toBe(401);
    expect(failures).toEqual([]);
    shaped({ reuse: wrong, shape: async () => wrong() });
    expect((await host.request("/api/auth/providers")).status).toBe(200);
    expect(failures).toEqual([
      "quick: response.shape: reuse threw: broken",
      "quick: response.shape: shape threw: broken",
    ]);
  });
});

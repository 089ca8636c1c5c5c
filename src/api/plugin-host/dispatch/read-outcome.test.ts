import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createDispatchHost, type DispatchHost } from "#api/testing/dispatch-host.ts";
import type { PluginResponse } from "#plugins/sdk/types.ts";

let on: DispatchHost;
beforeAll(async () => {
  on = await createDispatchHost();
});
afterAll(() => on.host.close());
beforeEach(() => on.clear());

const notes = "/api/visitor-notes";
const bodyOf = async (response: Response) => JSON.parse(await response.text());

describe("what a plugin answers", () => {
  const answering = async (response: PluginResponse, level: "public" | "admin" = "public") => {
    await on.open((ctx) => ctx.routes.get("/answer", { access: level }, () => ctx.respond(response)));
    return on.admin.call("GET", `${notes}/answer`);
  };

  test("is sent with its status, headers and bytes, and in a sandbox whatever it is", async () => {
    const answer = await answering({
      status: 201,
      headers: {
        "Content-Type": "image/svg+xml",
        "x-plugin-total": "3",
        "cache-control": "public, max-age=60",
      },
      base64: Buffer.from("<svg/>").toString("base64"),
    });
    expect([answer.status, await answer.text()]).toEqual([201, "<svg/>"]);
    expect(answer.headers.get("x-plugin-total")).toBe("3");
    expect(answer.headers.get("cache-control")).toBe("public, max-age=60");
    expect(answer.headers.get("content-security-policy")).toStartWith("sandbox; default-src 'none'");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("that is not public is kept by no shared cache", async () => {
    const headers = { "cache-control": "public, max-age=60" };
    expect((await answering({ headers, json: 1 }, "admin")).headers.get("cache-control")).toBe("no-store");
    expect((await answering({ json: 1 })).headers.get("cache-control")).toBe("no-store");
  });

  test("is kept by no cache when it carries a session", async () => {
    const cached = { headers: { "cache-control": "public, max-age=60" }, json: 1 };
    on.host.clock.advance(3_600_000);
    const answer = await answering(cached);
    expect(answer.headers.get("set-cookie")).toContain("sid=");
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  test("data that looks like an answer is data", async () => {
    await on.open((ctx) => ctx.routes.get("/data", () => ({ $response: { status: 500 } })));
    const answer = await on.admin.call("GET", `${notes}/data`);
    expect([answer.status, await bodyOf(answer)]).toEqual([200, { $response: { status: 500 } }]);
  });

  const wrong: [title: string, response: Record<string, unknown>][] = [
    ["a status of none", { status: 101 }],
    ["not modified", { status: 304 }],
    ["a status with half", { status: 200.5 }],
    ["a cookie", { headers: { "set-cookie": "sid=1" }, json: 1 }],
    ["a redirection", { status: 302, headers: { location: "https://evil.example" } }],
    ["an unknown header", { headers: { "x-total": "3" }, json: 1 }],
    ["an address to load from", { headers: { link: "<https://evil.example>; rel=preload" }, json: 1 }],
    ["a header for proxies", { headers: { "x-accel-redirect": "/etc/passwd" }, json: 1 }],
    ["another policy", { headers: { "content-security-policy": "default-src *" }, json: 1 }],
    ["the host's own header", { headers: { "x-atrium-block": "1" }, json: 1 }],
    ["a header of two lines", { headers: { "x-plugin-a": "b\r\nset-cookie: c" }, json: 1 }],
    ["a script", { headers: { "content-type": "text/javascript" }, text: "alert(1)" }],
    ["a script in capitals", { headers: { "content-type": "Text/JavaScript" }, text: "alert(1)" }],
    ["two bodies", { json: 1, text: "1" }],
    ["no base64", { base64: "*" }],
    ["a body where none is allowed", { status: 204, text: "x" }],
    ["a body for a form that is reset", { status: 205, text: "x" }],
  ];
  test.each(wrong)("is not sent with %s", async (_title, response) => {
    const answer = await answering(response as PluginResponse);
    expect(answer.status).toBe(502);
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(on.logged).toHaveLength(1);
  });
});

describe("the activity log", () => {
  test("counts reads of a route in one row for all users, and names who changes something", async () => {
    await on.open((ctx) => {
      ctx.routes.get("/list", { access: "public", summary: "Lists notes" }, () => []);
      ctx.routes.get("/page", { summary: "Shows the page" }, () => []);
      ctx.routes.post("/add", () => "added");
      ctx.routes.post("/refuse", { summary: "Refuses" }, () => ctx.respond({ status: 422, json: {} }));
    });
    for (let visits = 0; visits < 5; visits += 1)
      await on.host.request(
        `${notes}/list`,
        { headers: { "user-agent": `Browser ${visits}` } },
        `203.0.113.${visits}`,
      );
    await on.admin.call("POST", `${notes}/add`, {});
    await on.admin.call("POST", `${notes}/refuse`, {});
    await on.admin.call("GET", `${notes}/page`);
    on.host.clock.advance(61_000);
    const rows = (await on.newRows()).filter(({ pluginName }) => pluginName === "visitor-notes");
    expect(rows.map(({ type, action, ip, userId }) => ({ type, action, ip, userId }))).toContainEqual({
      ...{ type: "api_call", action: "Lists notes", ip: null, userId: null },
    });
    expect(rows.filter(({ action }) => action === "Lists notes").length).toBeLessThanOrEqual(2);
    expect(rows.filter(({ action }) => action === "Shows the page")).toEqual([]);
    expect(rows.find(({ action }) => action === "Refuses")).toMatchObject({ status: "failure" });
    expect(rows.find(({ action }) => action === "POST /api/visitor-notes/add")?.userId).toBe(
      on.admin.user?.id ?? "",
    );
  });

  test("has a failure of a plugin under the plugin's name", async () => {
    await on.open((ctx) =>
      ctx.routes.get("/broken", { access: "public" }, () => {
        throw new Error("broken");
      }),
    );
    await on.visitor.call("GET", `${notes}/broken`);
    expect(await on.newRows()).toMatchObject([
      { pluginName: "visitor-notes", type: "api_call", status: "failure" },
    ]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createDispatchHost, type DispatchHost } from "#api/testing/dispatch-host.ts";
import type { TestClient } from "#api/testing/host.ts";
import type { Json } from "#plugins/sdk/types.ts";
import { InvocationError } from "../runtime.ts";

let on: DispatchHost;
beforeAll(async () => {
  on = await createDispatchHost();
});
afterAll(() => on.host.close());
beforeEach(() => on.clear());

const notes = "/api/visitor-notes";
const personCalled = (who: string): TestClient =>
  new Map([
    ["user", on.user],
    ["admin", on.admin],
  ]).get(who) ?? on.visitor;
const bodyOf = async (response: Response) => JSON.parse(await response.text());

describe("a route of a plugin", () => {
  const access = [
    ["admin", { visitor: 401, user: 403, admin: 200 }],
    ["user", { visitor: 401, user: 200, admin: 200 }],
    ["public", { visitor: 200, user: 200, admin: 200 }],
  ] as const;
  for (const [level, statuses] of access) {
    test(`for ${level} answers ${JSON.stringify(statuses)}, and is not run for who is refused`, async () => {
      let runs = 0;
      await on.open((ctx) => ctx.routes.get("/list", { access: level }, () => ({ runs: ++runs })));
      for (const [who, status] of Object.entries(statuses)) {
        const before = runs;
        expect([who, (await personCalled(who).call("GET", `${notes}/list`)).status]).toEqual([who, status]);
        expect(runs - before).toBe(status === 200 ? 1 : 0);
      }
    });
  }

  test("is told path, names, query, body and who calls, and neither cookie nor credentials", async () => {
    await on.open((ctx) =>
      ctx.routes.put(
        "/items/:id/parts/:part",
        { access: "user", headers: ["X-Api"] },
        (request) => ({ ...request }) as never,
      ),
    );
    const answer = await on.user.call(
      "PUT",
      `${notes}/items/7/parts/x.y?a=1&b=2&b=3&__proto__=p`,
      { n: [1] },
      {
        ...{
          "x-api": "yes",
          "x-api-key": "secret",
          "x-forwarded-user": "root",
          "x-atrium-plugin": "other",
          "accept-language": "de",
        },
        ...{
          authorization: "Bearer secret",
          "x-real-ip": "1.1.1.1",
          referer: "http://localhost:3000/private",
        },
      },
    );
    const told = await bodyOf(answer);
    expect(told).toMatchObject({
      id: answer.headers.get("x-request-id"),
      method: "PUT",
      path: "/items/7/parts/x.y",
      params: { id: "7", part: "x.y" },
      body: { n: [1] },
      user: { id: on.user.user?.id, name: on.user.user?.name, role: "user" },
      ip: "127.0.0.1",
    });
    expect(Object.entries(told.query)).toEqual([
      ["a", "1"],
      ["b", ["2", "3"]],
      ["__proto__", "p"],
    ]);
    expect(Object.keys(told.headers).sort()).toEqual(["accept-language", "content-type", "x-api"]);
    expect(Object.keys(told.user)).toEqual(["id", "name", "role"]);
    expect(JSON.stringify(told)).not.toContain("secret");
  });

  test("with schemas is run only for what fits them", async () => {
    let runs = 0;
    const body = {
      type: "object",
      required: ["text"],
      properties: { text: { type: "string", maxLength: 5 } },
    };
    const query = {
      type: "object",
      additionalProperties: false,
      properties: { q: { type: "string", pattern: "^a+$" } },
    };
    await on.open((ctx) => ctx.routes.post("/notes", { body, query }, () => ({ runs: ++runs })));
    const post = (path: string, sent: unknown) => on.admin.call("POST", `${notes}/notes${path}`, sent);
    for (const [path, sent, at] of [
      ["", { text: "too long" }, "text"],
      ["", {}, "text"],
      ["", [], ""],
      ["?q=b", { text: "fine" }, "q"],
      ["?q=a&q=a", { text: "fine" }, "q"],
      ["?other=1", { text: "fine" }, "other"],
    ] as const) {
      const answer = await post(path, sent);
      expect([path, sent, answer.status]).toEqual([path, sent, 422]);
      expect((await bodyOf(answer)).errors[0].path).toBe(at);
    }
    expect(runs).toBe(0);
    expect((await post("?q=aaa", { text: "fine" })).status).toBe(200);
  });

  test("takes any JSON or none where it has no schema, and nothing else", async () => {
    await on.open((ctx) => ctx.routes.post("/any", { access: "public" }, ({ body }) => ({ body })));
    const send = (init: RequestInit) => on.host.request(`${notes}/any`, { method: "POST", ...init });
    const json = { "content-type": "application/json" };
    expect(await bodyOf(await send({}))).toEqual({ body: null });
    expect(await bodyOf(await send({ headers: json, body: "[1]" }))).toEqual({ body: [1] });
    expect((await send({ headers: json, body: "{" })).status).toBe(400);
    expect((await send({ headers: { "content-type": "text/plain" }, body: "x" })).status).toBe(415);
    expect((await send({ headers: json, body: `"${"x".repeat(1_000_000)}"` })).status).toBe(413);
  });

  test("answers HEAD as GET, and a method that it has not with those that it has", async () => {
    await on.open((ctx) => {
      ctx.routes.get("/list", { access: "public" }, () => ({ ok: true }));
      ctx.routes.delete("/list", { access: "public" }, () => undefined);
    });
    expect((await on.visitor.call("HEAD", `${notes}/list`)).status).toBe(200);
    expect((await on.visitor.call("DELETE", `${notes}/list`)).status).toBe(204);
    for (const method of ["POST", "OPTIONS"]) {
      const answer = await on.visitor.call(method, `${notes}/list`, method === "POST" ? {} : undefined);
      expect([method, answer.status, answer.headers.get("allow")]).toEqual([method, 405, "GET, DELETE"]);
    }
  });

  test("is refused to another site, as any route that changes something", async () => {
    let runs = 0;
    await on.open((ctx) => ctx.routes.post("/change", { access: "public" }, () => ({ runs: ++runs })));
    const evil = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect((await on.admin.call("POST", `${notes}/change`, {}, evil)).status).toBe(403);
    expect(runs).toBe(0);
  });

  test("that throws, answers nonsense, is slow or busy fails alone, and visitors do not read why", async () => {
    const fails = (kind: InvocationError["kind"]) => () => {
      throw new InvocationError(kind, "the secret reason");
    };
    await on.open((ctx) => {
      const at = (path: string, handler: () => Json | never) =>
        ctx.routes.get(path, { access: "public" }, handler);
      at("/threw", () => {
        throw new Error("the secret reason");
      });
      at("/large", () => "x".repeat(1_000_001));
      at("/late", fails("timeout"));
      at("/busy", fails("too-many"));
      at("/gone", fails("unavailable"));
    });
    for (const [path, status, code, lines] of [
      ["/threw", 502, "PLUGIN_ERROR", 1],
      ["/large", 502, "PLUGIN_ERROR", 1],
      ["/late", 503, "PLUGIN_UNAVAILABLE", 1],
      ["/busy", 503, "PLUGIN_UNAVAILABLE", 1],
      ["/gone", 503, "PLUGIN_UNAVAILABLE", 0],
    ] as const) {
      on.logged.length = 0;
      const answer = await on.visitor.call("GET", notes + path);
      const text = await answer.text();
      expect([path, answer.status, JSON.parse(text).code]).toEqual([path, status, code]);
      expect(answer.headers.get("retry-after")).toBe(status === 503 ? "1" : null);
      expect(text).not.toContain("secret");
      expect([path, on.logged.length]).toEqual([path, lines]);
    }
  });

  test("P6: that exceeds its limits a fourth time within a minute is paused alone, each time for longer", async () => {
    let isWell = false;
    await on.open((ctx) => {
      ctx.routes.get("/slow", { access: "public" }, () => {
        if (isWell) return "well";
        throw new InvocationError("timeout", "It used 212 of 200 ms of CPU time");
      });
      ctx.routes.get("/quick", { access: "public" }, () => "quick");
      ctx.routes.get("/broken", { access: "public" }, () => {
        throw new Error("broken");
      });
    });
    const slow = async () => {
      const { status, headers } = await on.visitor.call("GET", `${notes}/slow`);
      return [status, headers.get("retry-after")];
    };
    for (let time = 0; time < 3; time += 1) expect(await slow()).toEqual([503, "1"]);
    // Those that were under way when a pause begins make it no longer.
    await Promise.all([slow(), slow(), slow()]);
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      const runs = on.logged.length;
      expect(await slow()).toEqual([503, String(seconds)]);
      expect(on.logged.length).toBe(runs);
      on.clock.advance(seconds * 1_000);
      await slow();
    }
    expect(on.logged).toContain(
      "GET /slow exceeded its limits 4 times within a minute. Last error: It used 212 of 200 ms of CPU " +
        "time",
    );
    for (let time = 0; time < 9; time += 1)
      expect((await on.visitor.call("GET", `${notes}/broken`)).status).toBe(502);
    expect((await on.visitor.call("GET", `${notes}/quick`)).status).toBe(200);
    on.clock.advance(60_000);
    isWell = true;
    expect(await slow()).toEqual([200, null]);
    on.clock.advance(60_000);
    isWell = false;
    expect(await slow()).toEqual([503, "1"]);
    isWell = true;
    expect(await slow()).toEqual([200, null]);
  });

  test("P6: that one caller makes exceed its limits is paused for that caller alone, and for all once four do", async () => {
    await on.open((ctx) => {
      ctx.routes.get("/slow", { access: "public" }, ({ query }) => {
        if (query.input === undefined) return "quick";
        throw new InvocationError("timeout", "It used 212 of 200 ms of CPU time");
      });
    });
    const slow = async (ip: string) => {
      await on.host.request(`${notes}/slow?input=bad`, {}, ip);
      on.clock.advance(1);
    };
    const isOpenTo = async (ip: string) => (await on.host.request(`${notes}/slow`, {}, ip)).status === 200;
    // However often: others never wait for it. A /48 is one caller.
    for (let time = 0; time < 20; time += 1) {
      await slow(`2001:db8:0:${time + 1}::1`);
      on.clock.advance(time % 5 === 4 ? 60_000 : 0);
      expect(await isOpenTo("192.0.2.1")).toBe(true);
    }
    for (let time = 0; time < 4; time += 1) await slow("2001:db8:0:1::1");
    expect([await isOpenTo("2001:db8:0:2::1"), await isOpenTo("192.0.2.1")]).toEqual([false, true]);
    on.clock.advance(180_000);
    for (const ip of ["192.0.2.11", "192.0.2.12", "192.0.2.13"]) await slow(ip);
    expect(await isOpenTo("192.0.2.1")).toBe(true);
    await slow("192.0.2.14");
    expect(await isOpenTo("192.0.2.1")).toBe(false);
    on.clock.advance(1_000);
    expect(await isOpenTo("192.0.2.1")).toBe(true);
    expect(on.logged).toContain("visitor-notes warn GET /slow is paused for 1 s for all callers");
  });

  test("P6: one caller gets half of a plugin's concurrent calls, and others are still answered", async () => {
    const held = Promise.withResolvers<Json>();
    await on.open((ctx) => {
      ctx.routes.get("/held", { access: "public" }, () => held.promise);
      ctx.routes.get("/quick", { access: "public" }, () => "quick");
    });
    const get = (path: string, ip: string) => on.host.request(notes + path, {}, ip);
    const [mine, other] = ["192.0.2.21", "192.0.2.22"] as const;
    const calls = Array.from({ length: 17 }, () => get("/held", mine));
    const early = await Promise.race(calls);
    expect([early.status, early.headers.get("retry-after")]).toEqual([503, "1"]);
    expect((await get("/quick", mine)).status).toBe(503);
    expect((await get("/quick", other)).status).toBe(200);
    held.resolve("done");
    const answers = await Promise.all(calls);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(16);
    expect((await get("/quick", mine)).status).toBe(200);
  });

  test("P6: whose calls all end with its process has one strike for them, and is not paused", async () => {
    const ended = Promise.withResolvers<Json>();
    await on.open((ctx) => ctx.routes.get("/held", { access: "public" }, () => ended.promise));
    const calls = Array.from({ length: 6 }, () => on.visitor.call("GET", `${notes}/held`));
    await new Promise((resolve) => setImmediate(resolve));
    on.clock.advance(1);
    ended.reject(new InvocationError("crashed", "Its process ended"));
    for (const { status } of await Promise.all(calls)) expect(status).toBe(503);
    expect(on.logged.filter((line) => line.includes("paused"))).toEqual([]);
  });
});

import { expect, test } from "bun:test";
import { type HeldAnswer, holdToDocument } from "../driver/held-answer.ts";
import { asAdmin } from "../driver/plugin-caller.ts";

const failure = { success: false, code: "NOT_SIGNED_IN", message: "Sign in first", requestId: "r" };
const answer = (more: Partial<HeldAnswer>): HeldAnswer => ({
  ...{ method: "GET", path: "/api/admin/users?limit=5", status: 401, requestId: "r" },
  ...{ type: "application/json;charset=utf-8", body: JSON.stringify(failure) },
  ...more,
});

/** What is said of an answer; `""` for nothing. */
const told = (more: Partial<HeldAnswer>): string => {
  try {
    holdToDocument(answer(more));
    return "";
  } catch (error) {
    return String(error);
  }
};

test("an answer of a running server is held to the API's document: status, media type and body", () => {
  expect(told({})).toBe("");
  expect(told({ path: "/nowhere", status: 299 })).toBe("");
  expect(told({ status: 405 })).toContain("answered 405, which its description does not know");
  expect(told({ body: JSON.stringify({ ...failure, stack: "at x" }) })).toContain("stack: ");
  expect(told({ type: "text/html", body: "<p>No</p>" })).toContain("answered 401 as text/html");
  expect(told({ type: null, body: "No" })).toContain("which it does not describe");
  expect(told({ type: null, body: "" })).toBe("");
  const exported = { path: "/api/admin/activity/export", status: 200 };
  for (const type of ["text/csv; charset=utf-8", "application/x-ndjson"])
    expect(told({ ...exported, type, body: "{}\n" })).toBe("");
  expect(told({ ...exported, body: "{}" })).toContain("answered 200 as application/json");
});

test("what a proxy answers in a server's place is let pass, and nothing else without an id", () => {
  const ofProxy = { requestId: null, type: "text/html", body: "<h1>Bad gateway</h1>" };
  for (const status of [502, 503, 504]) expect(told({ ...ofProxy, status })).toBe("");
  expect(told({ ...ofProxy, status: 500 })).toContain("answered 500 as text/html");
  expect(told({ ...ofProxy, requestId: "r", status: 502 })).toContain("answered 502");
});

test("whoever looks after plugins of a running server has its answers held to the document", async () => {
  const server = Bun.serve({
    port: 0,
    fetch: ({ url }) =>
      url.endsWith("/away")
        ? new Response("Bad gateway", { status: 502 })
        : Response.json({ success: true, notes: [] }, { headers: { "x-request-id": "r" } }),
  });
  try {
    const admin = asAdmin(`http://localhost:${server.port}`, "sid=x");
    await expect(admin.ask("GET", "/api/plugins")).rejects.toThrow(
      "GET /api/plugins answered 200 with something",
    );
    expect((await admin.ask("GET", "/api/plugins/away")).status).toBe(502);
  } finally {
    await server.stop(true);
  }
});

import { expect, test } from "bun:test";
import { checkPasskeys, checkReach } from "./check-reach.ts";
import { checkMetricsToken } from "./doctor.ts";

const serve = (answer: () => Response) => Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
const alive = () =>
  Response.json({ success: true, status: "alive" }, { headers: { date: new Date().toUTCString() } });

const judge = async (answer: () => Response, now?: () => number) => {
  const server = serve(answer);
  try {
    return await checkReach(server.url.origin, { isRunning: true, ...(now ? { now } : {}) });
  } finally {
    await server.stop(true);
  }
};

test("a public address that leads to a server of ours is fine", async () => {
  expect(await judge(alive)).toMatchObject([{ name: "reachable", state: "ok" }]);
});

test("a clock that is off there is a warning of its own", async () => {
  const [, clock] = await judge(alive, () => Date.now() + 120_000);
  expect(clock).toMatchObject({
    name: "clock skew",
    state: "warn",
    detail: expect.stringContaining("behind"),
  });
});

test("a proxy's own page is a warning, and so is no response", async () => {
  expect(await judge(() => new Response("Bad gateway", { status: 502 }))).toMatchObject([
    { state: "warn", detail: expect.stringContaining("502") },
  ]);
  expect(await judge(() => Response.json({ status: "fine" }))).toMatchObject([{ state: "warn" }]);
  const gone = serve(alive);
  const { origin } = gone.url;
  await gone.stop(true);
  expect(await checkReach(origin, { isRunning: true })).toMatchObject([
    { state: "warn", detail: expect.stringContaining("cannot be reached") },
  ]);
});

test("without a public URL or a running server no request is sent", async () => {
  expect(await checkReach(null, { isRunning: true })).toEqual([]);
  expect(await checkReach("https://atrium.example", { isRunning: false })).toEqual([]);
});

test("a metrics token that can be guessed is a warning, and is never shown", () => {
  expect(checkMetricsToken({ metricsToken: null })).toEqual([]);
  expect(checkMetricsToken({ metricsToken: "0123456789abcdef0123456789abcdef" })[0]?.state).toBe("ok");
  for (const metricsToken of ["metrics-token", "a".repeat(64)]) {
    const [check] = checkMetricsToken({ metricsToken });
    expect(check?.state).toBe("warn");
    expect(JSON.stringify(check)).not.toContain(metricsToken);
  }
});

test.each([
  [null, "ok"],
  ["app.new.example", "ok"],
  ["new.example", "ok"],
  ["old.example", "ok"],
  ["evil.example", "warn"],
  ["away.example", "warn"],
  ["co.uk", "warn"],
  ["sub.app.new.example", "warn"],
  ["ew.example", "warn"],
] as const)("passkeys of the host %s on app.new.example: %s", async (passkeyRpId, state) => {
  const ask = async (url: string) => {
    if (url === "https://away.example/.well-known/webauthn") throw new Error("away");
    const isFormer = url === "https://old.example/.well-known/webauthn";
    return Response.json({ origins: [isFormer ? "https://app.new.example" : "https://other.example"] });
  };
  const check = await checkPasskeys({ appUrl: "https://app.new.example", passkeyRpId }, 0, ask);
  expect(check).toMatchObject({ name: "passkeys", state });
});

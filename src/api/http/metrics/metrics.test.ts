import { afterAll, expect, test } from "bun:test";
import { createMetrics } from "#api/adapters/metrics/create-metrics.ts";
import { createProcessSource } from "#api/adapters/metrics/process-source.ts";
import { noMetrics } from "#api/core/metrics.ts";
import { createFixedSettings } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { createTestHost, operatorClient } from "#api/testing/host.ts";
import { limitedCore } from "#api/testing/limited-core.ts";
import { newCounters, nothingStored } from "#api/testing/metric-sources.ts";
import { readExposition } from "#api/testing/read-exposition.ts";
import { createCallObserver } from "../answers.ts";
import { bearerCheck } from "./open-telemetry.ts";
import { appSource, serviceSources } from "./sources.ts";

const token = "the-right-token-of-metrics";

const own = createProcessSource();
const metrics = createMetrics({ build: { version: "1.0.0" } });
const host = await hostForFile({
  settings: createFixedSettings(limitedCore()),
  metrics: { ...metrics, text: () => metrics.text(), isAllowed: bearerCheck(token) },
  observer: createCallObserver({ metrics, tracer: null }),
});
for (const source of [
  own,
  appSource(host.app),
  ...serviceSources(host.services, newCounters(), nothingStored),
])
  metrics.add(source);
afterAll(async () => {
  own.stop();
});

const scrape = (bearer: string | null, { peer = "203.0.113.5", headers = {} } = {}) =>
  host.request(
    "/api/metrics",
    { headers: { ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }), ...headers } },
    peer,
  );

test("metrics are for clients with the token, under a served host name, and for the operator", async () => {
  const response = await scrape(token);
  expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(response.headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
  const families = readExposition(await response.text());
  expect([...families.keys()]).toContain("atrium_ready_state");
  expect((await scrape(token, { headers: { host: "10.0.0.7:3000" } })).status).toBe(421);
  expect((await operatorClient(host).call("GET", "/api/metrics")).status).toBe(200);
});

test("without a configured token the path does not exist", async () => {
  const plain = await createTestHost({ metrics: { ...noMetrics } });
  try {
    const headers = { authorization: "Bearer x" };
    expect((await plain.request("/api/metrics", { headers })).status).toBe(404);
  } finally {
    await plain.close();
  }
});

test("a missing or wrong token, an admin's session among them, is refused; the twenty-first has to wait, the right one never", async () => {
  const admin = await host.signedIn("admin");
  const headers = { cookie: admin.cookie ?? "" };
  expect((await scrape(null, { headers })).status).toBe(401);
  const peer = "198.51.100.9";
  const wrong = ["", "x", `${token}x`, token.slice(1), token.toUpperCase()];
  for (let round = 0; round < 20; round += 1)
    expect((await scrape(wrong[round % wrong.length] ?? "", { peer })).status).toBe(401);
  const refused = await scrape("x", { peer });
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect((await scrape(token, { peer })).status).toBe(200);
});

test("scrapes are not counted by the request limit", async () => {
  for (let round = 0; round < 150; round += 1) expect((await scrape(token)).status).toBe(200);
});

test("10,000 odd paths and methods become a few series, and metrics contain nothing that clients sent", async () => {
  const secret = "canary-of-a-token";
  const person = await host.signedIn("user");
  const methods = ["GET", "POST", "PURGE", "PROPFIND", "X1"];
  const before = Buffer.byteLength(await metrics.text());
  for (let number = 0; number < 10_000; number += 1) {
    const path = number % 2 ? `/api/${secret}/${number}?token=${secret}` : `/${secret}-${number}`;
    await host.request(
      path,
      { method: methods[number % methods.length] ?? "GET" },
      `192.0.2.${number % 250}`,
    );
  }
  await person.call("GET", `/api/auth/verify-email/${"A".repeat(43)}`);
  await person.call("GET", "/api/auth/user");
  const text = await metrics.text();
  expect(Buffer.byteLength(text) - before).toBeLessThan(20_000);
  for (const trace of [secret, token, person.user?.email ?? "", "AAAA", "192.0.2.", person.cookie ?? ""])
    expect(text).not.toContain(trace);
  const { samples = [] } = readExposition(text).get("http_requests_total") ?? {};
  const routes = new Set(samples.map(({ labels }) => labels.route));
  expect(routes).toContain("/api/auth/verify-email/:token");
  expect(routes).toContain("unknown");
  expect(new Set(samples.map(({ labels }) => labels.method))).toContain("OTHER");
});

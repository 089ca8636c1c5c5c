import { afterAll, expect, test } from "bun:test";
import { startFakeCollector } from "#api/testing/fake-collector.ts";
import { readExposition } from "#api/testing/read-exposition.ts";
import { serverForFile } from "../driver/for-file.ts";

const token = "the-token-of-this-test";

const collector = startFakeCollector();
const env = {
  METRICS_TOKEN: token,
  METRICS_ADDRESS: "127.0.0.1:0",
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20canary-header",
  LOG_FORMAT: "json",
};
const server = await serverForFile({ env });
afterAll(() => collector.stop());

test("a server tells its figures with the token, at both addresses, and its traces by the time it has stopped", async () => {
  const scrape = await fetch(`${server.url}/api/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const families = readExposition(await scrape.text());
  const up = families.get("atrium_metrics_source_up")?.samples ?? [];
  expect(up.length).toBeGreaterThan(8);
  expect(up.filter(({ value }) => value !== 1)).toEqual([]);
  expect(families.get("atrium_database_queries_total")?.samples[0]?.value).toBeGreaterThan(10);
  const [own = ""] = /http:[^"]*\/metrics/.exec(server.output()) ?? [];
  expect([...readExposition(await (await fetch(own)).text()).keys()]).toContain("http_requests_total");

  const answer = await fetch(`${server.url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "canary@example.test", password: "canary-password" }),
  });
  expect(answer.status).toBe(401);
  expect(await server.stop()).toBe(0);
  const login = collector.spans.find(({ name }) => name === "POST /api/auth/login");
  expect(login?.attributes["atrium.request_id"]).toBe(answer.headers.get("x-request-id"));
  const parts = collector.spans.filter(({ parentSpanId }) => parentSpanId === login?.spanId);
  expect(parts.map(({ name }) => name)).toContain("select");
  expect(collector.texts.join()).not.toContain("canary");
  const line = server
    .output()
    .split("\n")
    .find((text) => text.includes("/api/auth/login"));
  expect(line).toContain(`"traceId":"${login?.traceId}"`);
  expect(server.output()).not.toMatch(/canary-header|the-token-of-this-test/);
});

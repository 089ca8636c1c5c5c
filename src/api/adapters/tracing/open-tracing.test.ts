import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { noTracer } from "#api/core/tracer.ts";
import { traceQueries } from "#api/db/postgres/query-counter.ts";
import { createCallObserver } from "#api/http/answers.ts";
import { createTestClock } from "#api/testing/clock.ts";
import { type FakeCollector, startFakeCollector } from "#api/testing/fake-collector.ts";
import { createTestHost, type TestHost } from "#api/testing/host.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { openTracing, type TracingOptions } from "./open-tracing.ts";
import { tracedLog } from "./traced-adapters.ts";

let collector: FakeCollector;
beforeAll(() => {
  collector = startFakeCollector();
});
afterEach(() => {
  collector.behave(null);
  collector.spans.length = 0;
  collector.texts.length = 0;
});
afterAll(() => collector.stop());

const clock = createTestClock();
const open = (options: Partial<TracingOptions> = {}) => {
  const log = createRecordingLog();
  const tracing = openTracing({
    ...{ endpoint: collector.url, headers: { authorization: "Bearer of-the-collector" } },
    ...{ serviceName: "atrium", version: "1.0.0", sampler: "parentbased_always_on", ratio: 1 },
    ...{ clock, log, gatherMs: 50 },
    ...options,
  });
  return { ...tracing, log };
};

/** A host whose requests are traced. */
const openHost = async (tracer: ReturnType<typeof open>["tracer"]): Promise<TestHost> =>
  createTestHost({ observer: createCallObserver({ metrics: null, tracer }) });

test("a request is one span by its route, with status and id, and nothing that its sender wrote", async () => {
  const tracing = open();
  const host = await openHost(tracing.tracer);
  const path = `/api/auth/verify-email/${"A".repeat(43)}?next=canary-query`;
  const answer = await host.request(path, {
    headers: { "user-agent": "canary-agent", cookie: "x=canary-cookie" },
  });
  await host.request("/api/canary-path");
  await tracing.close();
  const [first, second] = collector.spans;
  expect(first).toMatchObject({
    name: "GET /api/auth/verify-email/:token",
    parentSpanId: "",
    isFailed: false,
  });
  expect(first?.attributes["http.response.status_code"]).toBe(answer.status);
  expect(first?.attributes["atrium.request_id"]).toBe(answer.headers.get("x-request-id"));
  expect(second?.name).toBe("GET unknown");
  expect(collector.texts.join()).not.toMatch(/canary|AAAA|127\.0\.0\.1/);
  expect(collector.headers[0]?.get("authorization")).toBe("Bearer of-the-collector");
  await host.close();
});

test("a caller's trace continues; one that is not well formed begins again, and nothing breaks", async () => {
  const tracing = open();
  const host = await openHost(tracing.tracer);
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const call = (traceparent: string) => host.request("/api/health", { headers: { traceparent } });
  await call(`00-${traceId}-00f067aa0ba902b7-01`);
  for (const wrong of [
    `00-${traceId}-0-01`,
    `ff-${traceId}-00f067aa0ba902b7-01`,
    `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
    "x".repeat(5_000),
  ])
    expect((await call(wrong)).status).toBe(200);
  await tracing.close();
  const [own, ...others] = collector.spans;
  expect([own?.traceId, own?.parentSpanId]).toEqual([traceId, "00f067aa0ba902b7"]);
  expect(others.map(({ parentSpanId }) => parentSpanId)).toEqual(["", "", "", ""]);
  expect(others.some((span) => span.traceId === traceId)).toBe(false);
  await host.close();
});

test("statements within a trace are its parts, without values; those outside of one are none", async () => {
  const { tracer, close } = open();
  const follow = traceQueries(tracer);
  expect(follow("select 1")).toBeNull();
  await tracer.run({ name: "work", kind: "internal" }, async (span) => {
    await Bun.sleep(0);
    follow("select * from users where email = $1 and status = 'wait''ing'")?.(false);
    follow("insert into x values ($1)")?.(true);
    span.end();
    // Whatever the work left running belongs to no one any more.
    expect(follow("select 2")).toBeNull();
  });
  await close();
  const [select, insert, work] = collector.spans;
  expect(select).toMatchObject({ name: "select", parentSpanId: work?.spanId, isFailed: false });
  expect(select?.attributes["db.query.text"]).toBe("select * from users where email = $1 and status = '?'");
  expect(insert).toMatchObject({ name: "insert", isFailed: true });
});

test("lines that are logged within a trace carry its id, others none", async () => {
  const { tracer, close, log } = open();
  const traced = tracedLog(log, tracer);
  traced.info("outside");
  const traceId = tracer.run({ name: "work", kind: "internal" }, (span) => {
    traced.info("inside", { requestId: "1" });
    span.end();
    return span.traceId;
  });
  await close();
  expect(log.entries.map(({ fields }) => fields)).toEqual([undefined, { requestId: "1", traceId }]);
});

test("a share of traces is kept where the operator wants a share, and none of what a sampler leaves out", async () => {
  const none = open({ sampler: "always_off" });
  none.tracer.run({ name: "work", kind: "internal" }, (span) => {
    expect(none.tracer.begin({ name: "part", kind: "internal" })).toBeNull();
    span.end();
  });
  await none.close();
  expect(collector.spans).toHaveLength(0);
  const share = open({ sampler: "traceidratio", ratio: 0.25 });
  for (let round = 0; round < 1_000; round += 1)
    share.tracer.run({ name: "work", kind: "internal" }, (span) => span.end());
  await share.close();
  expect(collector.spans.length).toBeGreaterThan(150);
  expect(collector.spans.length).toBeLessThan(350);
});

test("a collector that is away, refuses or hangs delays no request and no stop, and is told of once a minute", async () => {
  const hang = () => new Promise<Response>(() => {});
  for (const answer of [
    () => new Response("no: canary", { status: 500 }),
    () => new Response(null, { status: 400 }),
    hang,
  ]) {
    collector.behave(answer);
    const tracing = open({ sendMs: 300 });
    const host = await openHost(tracing.tracer);
    const startedMs = performance.now();
    for (let round = 0; round < 1_000; round += 1)
      expect((await host.request("/api/health")).status).toBe(200);
    expect(performance.now() - startedMs).toBeLessThan(5_000);
    await tracing.close();
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    const warned = tracing.log.entries.filter(({ level }) => level === "warn");
    expect(warned).toHaveLength(1);
    expect(JSON.stringify(warned)).not.toMatch(/canary|of-the-collector/);
    await host.close();
  }
  const lost = open({ endpoint: "http://127.0.0.1:1", sendMs: 300 });
  lost.tracer.run({ name: "work", kind: "internal" }, (span) => span.end());
  await lost.close();
  expect(lost.log.entries.map(({ message }) => message)).toEqual([
    "traces are lost: the collector does not accept them",
  ]);
});

test("without a collector nothing is followed", () => {
  expect(createCallObserver({ metrics: null, tracer: null })).toBeNull();
  expect(noTracer.begin({ name: "x", kind: "internal" })).toBeNull();
});

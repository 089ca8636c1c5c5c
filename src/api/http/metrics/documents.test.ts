import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createMetrics } from "#api/adapters/metrics/create-metrics.ts";
import { createProcessSource } from "#api/adapters/metrics/process-source.ts";
import type { MetricFacts } from "#api/core/metrics.ts";
import { openTestHandle, type TestDatabaseHandle } from "#api/testing/database-handle.ts";
import { createTestHost, type TestHost } from "#api/testing/host.ts";
import { newCounters, nothingStored } from "#api/testing/metric-sources.ts";
import { readExposition } from "#api/testing/read-exposition.ts";
import { appSource, databaseSource, pluginSource, serviceSources } from "./sources.ts";

const root = join(import.meta.dir, "../../../..");
const read = (path: string) => Bun.file(join(root, path)).text();

let host: TestHost;
let opened: TestDatabaseHandle;
/** Every metric with its labels, as a server has it. */
const known = new Map<string, readonly string[]>();

beforeAll(async () => {
  [host, opened] = await Promise.all([createTestHost(), openTestHandle()]);
  const own = createProcessSource();
  own.stop();
  const plugins = { ...host.plugins, usageOf: () => ({ starts: 0, calls: 0, failures: 0, totalMs: 0 }) };
  const stored = { ...nothingStored, lastBackup: async () => ({ at: "2026-01-01T00:00:00Z", sizeBytes: 1 }) };
  const sources = [
    own,
    appSource(host.app),
    databaseSource(opened.handle),
    pluginSource(plugins),
    ...serviceSources(host.services, newCounters(), stored),
  ];
  const metrics = createMetrics({ build: { version: "1", bun: "1", database: "embedded" } });
  metrics.count({ method: "GET", route: "/api/x", status: 200, seconds: 0 });
  for (const source of sources) metrics.add(source);
  for (const [name, { samples }] of readExposition(await metrics.text()))
    known.set(name, Object.keys(samples[0]?.labels ?? {}));
  const all: MetricFacts[] = sources.flatMap((source) => [...source.metrics]);
  for (const { name, labels = [] } of all) known.set(name, labels);
  known.set("http_request_duration_seconds", ["method", "route"]);
});
afterAll(async () => {
  await Promise.all([host.close(), opened.close()]);
});

test("docs/operating/monitoring.md has a row for every metric with its labels, and for no other", async () => {
  const page = await read("docs/operating/monitoring.md");
  const rows = [...page.matchAll(/^\| `((?:atrium|http|process)_\w+)` \| (.*?) \| \S.* \|$/gm)];
  const documented = rows.map(([, name, labels = ""]) => [
    name,
    [...labels.matchAll(/`(\w+)`/g)].map(([, one]) => one),
  ]);
  expect(documented.sort()).toEqual([...known].map(([name, labels]) => [name, [...labels]]).sort());
});

/** Names in an expression that are metrics, without what a histogram's lines end with. */
const metricsIn = (expression: string): string[] =>
  [...expression.matchAll(/\b(?:atrium|http|process)_[a-z_]+\b/g)].map(([name]) =>
    known.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, ""),
  );

describe("what comes with the product for Prometheus and Grafana", () => {
  test("the alerts ask for metrics and labels that there are, and each is explained", async () => {
    const text = await read("deploy/monitoring/alerts.yml");
    const page = await read("docs/operating/monitoring.md");
    const { groups } = Object(Bun.YAML.parse(text));
    const rules: { alert: string; expr: string; annotations: { summary: string } }[] = groups[0].rules;
    expect(rules.length).toBeGreaterThan(10);
    for (const { alert, expr, annotations } of rules) {
      expect(page).toContain(`\`${alert}\``);
      expect(annotations.summary).not.toBe("");
      const names = alert === "AtriumDown" ? [] : metricsIn(expr);
      if (alert !== "AtriumDown") expect(names).not.toEqual([]);
      for (const name of names) expect([alert, name, known.has(name)]).toEqual([alert, name, true]);
    }
  });

  test("the dashboard asks for metrics and labels that there are", async () => {
    const { panels } = JSON.parse(await read("deploy/monitoring/grafana-dashboard.json"));
    const expressions: string[] = panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
      targets.map(({ expr }) => expr),
    );
    expect(expressions.length).toBeGreaterThan(15);
    const asked = expressions.flatMap(metricsIn);
    expect(asked.filter((name) => !known.has(name))).toEqual([]);
    for (const expression of expressions)
      for (const [, name = "", selector = ""] of expression.matchAll(
        /\b((?:atrium|http|process)_[a-z_]+)\{([^}]*)\}/g,
      )) {
        const labels = [...selector.matchAll(/(\w+)=/g)].map(([, label]) => label ?? "");
        const has = [...(known.get(name) ?? known.get(metricsIn(name)[0] ?? "") ?? []), "instance", "le"];
        expect([name, labels.filter((label) => !has.includes(label))]).toEqual([name, []]);
      }
  });

  test("the scrape asks the address that there is", async () => {
    const config = Object(Bun.YAML.parse(await read("deploy/monitoring/prometheus.yml")));
    const path = config.scrape_configs[0].metrics_path;
    expect(host.app.routes.all.map(({ template }) => template)).toContain(path);
    expect(config.rule_files).toEqual(["alerts.yml"]);
  });
});

import { loadPages } from "#api/http/pages/pages.ts";
import { noPlugins } from "#api/http/plugin-entrance.ts";
import { createTraffic } from "#api/plugin-host/native/native-host.ts";
import { createTestHost, type TestHost, testOrigin } from "#api/testing/host.ts";
import {
  createPreloadLinks,
  createShaper,
} from "#plugins/web-performance-optimization/backend/answers/create-shaper.ts";
import { createResponseCache } from "#plugins/web-performance-optimization/backend/answers/response-cache.ts";
import { createTrial } from "#plugins/web-performance-optimization/backend/answers/trial.ts";
import { readSettings } from "#plugins/web-performance-optimization/backend/read-settings.ts";
import { interleave, median } from "../measure/interleave.ts";
import { decimal } from "../report.ts";
import type { BenchLine } from "./bench-line.ts";

/** Whether the plugin is there, and what is switched on. */
type Side = { hasPlugin: boolean; on: string | null };
type Subject = Side & { name: string; path: string; requests: number };

const page = { path: "/", requests: 10_000 };
const list = { path: "/api/plugins", requests: 2_000 };
const description = { path: "/swagger/json", requests: 100 };
const without = { hasPlugin: false, on: null };
const off = { hasPlugin: true, on: null };
const withOn = (on: string) => ({ hasPlugin: true, on });

/** Each beside the first of its path. */
const subjects: Subject[] = [
  { name: "/, without the plugin", ...page, ...without },
  { name: "/, all switches off", ...page, ...off },
  { name: "/, compression", ...page, ...withOn("compression") },
  { name: "/, cache lifetimes", ...page, ...withOn("cacheLifetimes") },
  { name: "/, preload headers", ...page, ...withOn("preloadHeaders") },
  { name: "/, response cache", ...page, ...withOn("responseCache") },
  { name: "/api/plugins, without the plugin", ...list, ...without },
  { name: "/api/plugins, all switches off", ...list, ...off },
  { name: "/api/plugins, response cache", ...list, ...withOn("responseCache") },
  { name: "/swagger/json, without the plugin", ...description, ...without },
  { name: "/swagger/json, compression", ...description, ...withOn("compression") },
  { name: "/swagger/json, response cache", ...description, ...withOn("responseCache") },
];

/** What the switches of web-performance-optimization cost and bring: bytes and processor time of an answer. */
export const webPerformanceLine: BenchLine = {
  name: "web-performance",
  run: async ({ rounds }) => {
    let settings = readSettings({});
    const now = () => performance.now();
    const cache = createResponseCache({ now, limits: () => ({ ttlMs: 600_000, mostBytes: 64_000_000 }) });
    const files = {
      scripts: Array.from({ length: 8 }, (_, at) => `/assets/part-${at}.js`),
      styles: ["/assets/main.css"],
    };
    const shaper = createShaper({
      settings: () => settings,
      cache,
      preloadLinks: createPreloadLinks(() => files),
      trial: createTrial(now),
    });
    const traffic = createTraffic((_plugin, reason) => {
      throw new Error(reason);
    });
    const host = await createTestHost({
      pages: loadPages({ appUrl: testOrigin }),
      entrance: () => ({ ...noPlugins, traffic }),
    });
    const turn = ({ hasPlugin, on }: Side) => {
      settings = readSettings({
        sharedCalls: [list.path, description.path],
        ...(on === null ? {} : { [on]: true }),
      });
      if (hasPlugin) traffic.set("web-performance-optimization", { inspector: null, shaper });
      else traffic.remove("web-performance-optimization");
    };
    try {
      const measure = (subject: Subject) => {
        turn(subject);
        return measureAnswers(host, subject);
      };
      for (const subject of subjects) await measure({ ...subject, requests: 50 });
      const results = await interleave(subjects, rounds, measure);
      return {
        title: "What the switches of web-performance-optimization cost and bring",
        method:
          `Answers to a browser that takes zstd, through the whole pipeline without a socket; medians of ${rounds} interleaved ` +
          "rounds. CPU for each request; bodies in bytes.",
        columns: ["", "CPU µs", "× without", "bytes", "× without", "goal"],
        rows: subjects.map(({ name, path, on, hasPlugin }, index) => {
          const own = results[index] ?? [];
          const first = results[subjects.findIndex((other) => other.path === path)] ?? [];
          const ratio = (of: "cpuUs" | "bytes") =>
            decimal(median(own.map((one, round) => one[of] / (first[round]?.[of] ?? Number.NaN))), 2);
          return [
            name,
            decimal(median(own.map(({ cpuUs }) => cpuUs)), 1),
            ratio("cpuUs"),
            decimal(median(own.map(({ bytes }) => bytes))),
            ratio("bytes"),
            hasPlugin && on === null ? "≤ 1.00" : "",
          ];
        }),
      };
    } finally {
      await host.close();
    }
  },
};

const headers = {
  host: "localhost:3000",
  "user-agent": "bench",
  "accept-encoding": "gzip, deflate, br, zstd",
};

const measureAnswers = async (
  host: TestHost,
  { path, requests }: Subject,
): Promise<{ cpuUs: number; bytes: number }> => {
  let bytes = 0;
  const before = process.cpuUsage();
  for (let made = 0; made < requests; made += 1) {
    const request = new Request(`${testOrigin}${path}`, { headers });
    const answer = await host.app.handle(request, { via: "tcp", peer: "127.0.0.1" });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
    bytes = (await answer.arrayBuffer()).byteLength;
  }
  const { user, system } = process.cpuUsage(before);
  host.logs.length = 0;
  return { cpuUs: (user + system) / requests, bytes };
};

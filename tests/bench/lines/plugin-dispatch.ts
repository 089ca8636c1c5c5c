import { systemClock } from "#api/core/clock.ts";
import { noPlugins } from "#api/http/plugin-entrance.ts";
import { createRouteBreaker } from "#api/plugin-host/dispatch/invoke-route.ts";
import { createPluginRoutes } from "#api/plugin-host/dispatch/plugin-routes.ts";
import { createGuard } from "#api/plugin-host/guard/guard.ts";
import { createTestHost, type TestHost } from "#api/testing/host.ts";
import { startLivePlugin } from "#api/testing/live-plugin.ts";
import { createLocalRateLimiter } from "#api/testing/local-rate-limiter.ts";
import { interleave, median } from "../measure/interleave.ts";
import { decimal } from "../report.ts";
import type { BenchLine } from "./bench-line.ts";

const requests = 20_000;
const plugin = "visitor-notes";

type Subject = { name: string; goal: string; host: TestHost; cookie: string; path: string };

/** What the way to a plugin's route costs beside that to a route of the application's own, and what plugins cost others. */
export const pluginDispatchLine: BenchLine = {
  name: "plugin-dispatch",
  run: async ({ rounds }) => {
    const breaker = createRouteBreaker({ clock: systemClock, log: () => {}, paused: () => {} });
    const routes = createPluginRoutes({ log: () => {}, breaker, used: () => {}, settingsOf: () => ({}) });
    const bare = await createTestHost();
    const full = await createTestHost({ entrance: () => ({ ...noPlugins, routes }) });
    const guarded = await createTestHost({
      entrance: (services) => {
        const limiter = createLocalRateLimiter(services.clock);
        const guard = createGuard({ ...services, limiter, countryOf: null, hookFailed: () => {} });
        const cidrs = Array.from({ length: 1_000 }, (_, at) => `10.${at >> 8}.${at & 255}.0/24`);
        const words = Array.from({ length: 1_000 }, (_, at) => `word-${at}`);
        guard.set(plugin, [
          { kind: "ip", action: "block", cidrs },
          { kind: "pattern", action: "block", in: ["path", "query", "user-agent"], contains: words },
        ]);
        return { ...noPlugins, routes, guard };
      },
    });
    try {
      const signedIn = async (host: TestHost) => ({
        host,
        cookie: (await host.signedIn("user")).cookie ?? "",
      });
      const [withNone, withOne, withRules] = [
        await signedIn(bare),
        await signedIn(full),
        await signedIn(guarded),
      ];
      const own = { path: "/api/auth/user" };
      const user = (await full.signedIn("user")).user;
      routes.open(
        await startLivePlugin({
          setup: (ctx) => ctx.routes.get("/me", { access: "user" }, () => ({ ...user })),
        }),
      );
      const subjects: Subject[] = [
        { name: "own route, no plugins", goal: "", ...withNone, ...own },
        { name: "own route, a plugin runs", goal: "≤ 1.00", ...withOne, ...own },
        { name: "plugin's route, handler in process", goal: "≤ 1.10", ...withOne, path: `/api/${plugin}/me` },
        { name: "own route, 2,000 entries of guard rules", goal: "", ...withRules, ...own },
      ];
      for (const subject of subjects) await cpuUs(subject);
      const results = await interleave(subjects, rounds, cpuUs);
      const first = results[0] ?? [];
      return {
        title: "The way to a plugin's route",
        method:
          `The same JSON for a signed-in user, through the whole pipeline without a socket; medians of ${rounds} ` +
          `interleaved rounds of ${requests} requests. CPU for each request.`,
        columns: ["", "CPU µs", "× own route", "goal"],
        rows: subjects.map(({ name, goal }, index) => {
          const costs = results[index] ?? [];
          const ratio = median(costs.map((cost, round) => cost / (first[round] ?? Number.NaN)));
          return [name, decimal(median(costs), 1), decimal(ratio, 2), goal];
        }),
      };
    } finally {
      for (const host of [bare, full, guarded]) await host.close();
    }
  },
};

const cpuUs = async ({ host, cookie, path }: Subject): Promise<number> => {
  const headers = { cookie, host: "localhost:3000", "user-agent": "bench", accept: "application/json" };
  const url = `${host.services.appUrl}${path}`;
  const before = process.cpuUsage();
  for (let made = 0; made < requests; made += 1) {
    const answer = await host.app.handle(new Request(url, { headers }), { via: "tcp", peer: "127.0.0.1" });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
  }
  const { user, system } = process.cpuUsage(before);
  host.logs.length = 0;
  return (user + system) / requests;
};

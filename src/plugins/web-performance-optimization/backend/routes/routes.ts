import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import type { Json, PluginRequest, PluginResponse } from "#plugins/sdk/types.ts";
import type { ResponseCache } from "../answers/response-cache.ts";
import type { PerformanceSettings } from "../read-settings.ts";
import type { ReportWorker } from "../report/report-worker.ts";
import { type Switchings, switchTitles } from "../switchings.ts";
import type { NextPages } from "../vitals/next-pages.ts";
import type { PageTemplate } from "../vitals/page-template.ts";
import { readSummary } from "../vitals/summary.ts";
import type { VitalsStore } from "../vitals/vitals-store.ts";
import { type Beacon, type Report, type SiteFacts, switchNames } from "../wire.ts";
import { cacheOptions, reportOptions, switchOptions, vitalsOptions } from "./route-options.ts";

type CacheParts = {
  settings: () => PerformanceSettings;
  cache: ResponseCache;
  /** Announces a purge to all servers. */
  announce(path: string): Promise<void>;
};

/** Routes for the response cache: its state on this server, and a purge on all servers. */
export const addCacheRoutes = (ctx: NativeCtx, { settings, cache, announce }: CacheParts): void => {
  ctx.routes.get("/cache", cacheOptions.get, () => ({
    isOn: settings().isOn.responseCache,
    ...cache.state(),
  }));

  ctx.routes.post("/cache/purge", cacheOptions.purge, async ({ body, user }) => {
    const given: unknown = Reflect.get(Object(body), "path");
    const path = typeof given === "string" ? given : undefined;
    const purged = cache.purge(path);
    await announce(path ?? "*");
    // The purge has happened even if the activity log refuses the entry because of its limit.
    await ctx.activity
      .log({
        type: "admin_action",
        action: path === undefined ? "Purged the response cache" : "Purged a path from the response cache",
        description: [path, user === null ? "by the operator" : `by ${user.name}`].filter(Boolean).join(", "),
      })
      .catch((error) => ctx.log("warn", `A purge could not be recorded: ${error}`));
    const what = purged === 1 ? "1 cached response" : `${purged} cached responses`;
    // Other servers see only the last purge and may have missed an earlier one, so they clear everything.
    const elsewhere = path === undefined ? "theirs" : "their whole cache";
    return { message: `${what} purged on this server; other servers clear ${elsewhere}.`, purged };
  });
};

/** Routes for the measurement: start, state, stop. */
export const addReportRoutes = (ctx: NativeCtx, worker: ReportWorker): void => {
  ctx.routes.get("/report", reportOptions.get, async () => {
    const state = await worker.state();
    return { ...state, rows: rowsOf(state.report) };
  });

  ctx.routes.post("/report", reportOptions.start, async ({ id, user }) => {
    if (!worker.start()) return ctx.respond(conflict(id, "A measurement is already running."));
    await ctx.activity.log({
      type: "admin_action",
      action: "Started measuring the switches",
      description: user === null ? "By the operator" : `By ${user.name}`,
    });
    return { message: "The measurement has started." };
  });

  ctx.routes.delete("/report", reportOptions.end, ({ id }) =>
    worker.cancel()
      ? { message: "The measurement is stopping." }
      : ctx.respond(conflict(id, "No measurement is running.")),
  );
};

const conflict = (id: string, message: string) => refusal({ id }, { status: 409, code: "CONFLICT", message });

/** One row for each path of each switch, for tables. */
const rowsOf = (report: Report | null) =>
  (report?.switches ?? []).flatMap(({ name, rows }) =>
    rows.map(({ path, off, on }) => ({
      switch: name,
      path,
      bytesOff: off.bytes,
      bytesOn: on.bytes,
      msOff: off.ms,
      msOn: on.ms,
    })),
  );

type SwitchParts = {
  settings: () => PerformanceSettings;
  /** Changes settings; this server uses them from then on. */
  change(patch: Record<string, boolean>): Promise<void>;
  switchings: Switchings;
};

/** Routes for the switches: their state and history, and a change. */
export const addSwitchRoutes = (ctx: NativeCtx, { settings, change, switchings }: SwitchParts): void => {
  ctx.routes.get("/switches", switchOptions.list, async () => {
    const { isOn } = settings();
    return {
      switches: switchNames.map((name) => ({ name, isOn: isOn[name] })),
      switchings: (await switchings.list()).map((one) => ({ ...one })),
    };
  });

  ctx.routes.put("/switches/:name", switchOptions.turn, async ({ id, params, body, user }) => {
    const name = switchNames.find((known) => known === params.name);
    if (name === undefined)
      return ctx.respond(refusal({ id }, { status: 404, code: "NOT_FOUND", message: "Switch not found" }));
    const isOn = Reflect.get(Object(body), "isOn") === true;
    if (settings().isOn[name] !== isOn) {
      await change({ [name]: isOn });
      await switchings.note(settings().isOn);
      await ctx.activity.log({
        type: "configuration_changed",
        action: `${switchTitles[name]}: turned ${isOn ? "on" : "off"}`,
        description: user === null ? "By the operator" : `By ${user.name}`,
        severity: "medium",
      });
    }
    return { message: `${switchTitles[name]}: ${isOn ? "on" : "off"}.`, name, isOn };
  });
};

type VitalsParts = {
  store: VitalsStore;
  nextPages: NextPages;
  templateOf: PageTemplate;
  settings: () => PerformanceSettings;
  /** Stores the counts of this server that are not stored yet. */
  flush(): Promise<void>;
  now: () => number;
};

const mostBodyBytes = 4_096;
const rate = { windowMs: 60_000, max: 30 };

/** Public routes for the page script, and the figures for admins. */
export const addVitalsRoutes = (ctx: NativeCtx, parts: VitalsParts): void => {
  const { store, nextPages, templateOf, settings, flush, now } = parts;
  const summary = async (query: Partial<PluginRequest["query"]>) => {
    // Admins see their own visit of a moment ago.
    await flush();
    return readSummary(
      { store, now },
      {
        days: Number(query.days ?? 7),
        withAdmin: query.admin === "true",
      },
    );
  };

  ctx.routes.get("/site", vitalsOptions.site, () => {
    const { sample, isOn } = settings();
    const facts: SiteFacts = { sample, next: isOn.prefetch ? nextPages.current() : {} };
    return ctx.respond({ json: facts, headers: { "cache-control": "public, max-age=300" } });
  });

  ctx.routes.post("/vitals", vitalsOptions.take, async ({ id, body, headers, ip }) => {
    if (JSON.stringify(body).length > mostBodyBytes)
      return ctx.respond(
        refusal(
          { id },
          { status: 413, code: "PAYLOAD_TOO_LARGE", message: "The request body may have at most 4 KB" },
        ),
      );
    // Browsers that opt out of tracking normally send nothing; this ignores those that do.
    if (settings().sample === 0 || headers.dnt === "1" || headers["sec-gpc"] === "1") return undefined;
    const { isAllowed } = await ctx.host.takeRate(`vitals ${ctx.host.networkOf(ip)}`, rate);
    if (!isAllowed)
      return ctx.respond(
        refusal({ id }, { status: 429, code: "RATE_LIMITED", message: "Too many requests" }),
      );
    store.add(folded(asBeacon(body), templateOf));
    return undefined;
  });

  ctx.routes.get("/summary", vitalsOptions.summary, async ({ query }) => ({
    ...(await summary(query)),
  }));

  ctx.routes.get("/figures", vitalsOptions.figures, async ({ query }) => {
    const { metrics: figures, days } = await summary({ days: query.days });
    return { days, rows: Object.entries(figures).map(([metric, figure]) => ({ metric, ...figure })) };
  });
};

/** The beacon with each path replaced by that of a known page. */
const folded = ({ values, steps }: Beacon, templateOf: PageTemplate): Beacon => ({
  values: values.map((one) => ({ ...one, page: templateOf(one.page) })),
  steps: steps
    .map(({ from, to }) => ({ from: templateOf(from), to: templateOf(to) }))
    .filter(({ from, to }) => from !== to),
});

/** Safe because the route's schema has validated the body. */
const asBeacon = (body: Json): Beacon => ({ steps: [], ...(body as Omit<Beacon, "steps">) });

type Refusal = { status: number; code: string; message: string };

/** An error in the shape that all of the application's errors have. */
const refusal = ({ id }: Pick<PluginRequest, "id">, { status, code, message }: Refusal): PluginResponse => ({
  status,
  json: { success: false, code, message, requestId: id },
});

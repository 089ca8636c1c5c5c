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
  /** Makes a purge known to all servers. */
  announce(path: string): Promise<void>;
};

/** The kept answers of this server, and how to forget them on all of them. */
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
    // It is purged by then, whether or not the log takes another line this minute.
    await ctx.activity
      .log({
        type: "admin_action",
        action:
          path === undefined ? "Purged the response cache" : "Purged an address from the response cache",
        description: [path, user === null ? "by the operator" : `by ${user.name}`].filter(Boolean).join(", "),
      })
      .catch((error) => ctx.log("warn", `A purge could not be noted: ${error}`));
    const what = purged === 1 ? "1 kept answer" : `${purged} kept answers`;
    // Others hear of the last purge alone, and may have missed one before it: so they forget everything.
    const elsewhere = path === undefined ? "theirs, too" : "all of theirs";
    return { message: `${what} of this server purged; other servers forget ${elsewhere}.`, purged };
  });
};

/** The measurement of what switches do: begun, looked at, ended. */
export const addReportRoutes = (ctx: NativeCtx, worker: ReportWorker): void => {
  ctx.routes.get("/report", reportOptions.get, async () => {
    const state = await worker.state();
    return { ...state, rows: rowsOf(state.report) };
  });

  ctx.routes.post("/report", reportOptions.start, async ({ id, user }) => {
    if (!worker.start()) return ctx.respond(conflict(id, "A measurement is under way already."));
    await ctx.activity.log({
      type: "admin_action",
      action: "Began to measure what switches do",
      description: user === null ? "By the operator" : `By ${user.name}`,
    });
    return { message: "The measurement has begun." };
  });

  ctx.routes.delete("/report", reportOptions.end, ({ id }) =>
    worker.cancel()
      ? { message: "The measurement is being ended." }
      : ctx.respond(conflict(id, "No measurement is under way.")),
  );
};

const conflict = (id: string, message: string) => refusal({ id }, { status: 409, code: "CONFLICT", message });

/** Every address of every switch, one below the other: for tables. */
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
  /** Changes settings; what is answered from then on by this server follows them. */
  change(patch: Record<string, boolean>): Promise<void>;
  switchings: Switchings;
};

/** The switches: how they stand, since when, and how to turn them. */
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
      return ctx.respond(
        refusal({ id }, { status: 404, code: "NOT_FOUND", message: "There is no such switch" }),
      );
    const isOn = Reflect.get(Object(body), "isOn") === true;
    if (settings().isOn[name] !== isOn) {
      await change({ [name]: isOn });
      await switchings.note(settings().isOn);
      await ctx.activity.log({
        type: "configuration_changed",
        action: `${switchTitles[name]}: switched ${isOn ? "on" : "off"}`,
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
  /** Stores what this server counted and did not store yet. */
  flush(): Promise<void>;
  now: () => number;
};

const mostBodyBytes = 4_096;
const rate = { windowMs: 60_000, max: 30 };

/** What pages ask and tell for visitors, and what admins see of it. */
export const addVitalsRoutes = (ctx: NativeCtx, parts: VitalsParts): void => {
  const { store, nextPages, templateOf, settings, flush, now } = parts;
  const summary = async (query: Partial<PluginRequest["query"]>) => {
    // Whoever looks sees their own visit of a moment ago.
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
        refusal({ id }, { status: 413, code: "PAYLOAD_TOO_LARGE", message: "A message has at most 4 KB" }),
      );
    // Browsers that ask not to be followed send nothing; this is for those that do.
    if (settings().sample === 0 || headers.dnt === "1" || headers["sec-gpc"] === "1") return undefined;
    const { isAllowed } = await ctx.host.takeRate(`vitals ${ctx.host.networkOf(ip)}`, rate);
    if (!isAllowed)
      return ctx.respond(
        refusal({ id }, { status: 429, code: "RATE_LIMITED", message: "Too many messages" }),
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

/** What pages sent, with their addresses folded into those of pages that there are. */
const folded = ({ values, steps }: Beacon, templateOf: PageTemplate): Beacon => ({
  values: values.map((one) => ({ ...one, page: templateOf(one.page) })),
  steps: steps
    .map(({ from, to }) => ({ from: templateOf(from), to: templateOf(to) }))
    .filter(({ from, to }) => from !== to),
});

/** What the schema of the route let through. */
const asBeacon = (body: Json): Beacon => ({ steps: [], ...(body as Omit<Beacon, "steps">) });

type Refusal = { status: number; code: string; message: string };

/** A refusal of a call in the shape that all of the application's have. */
const refusal = ({ id }: Pick<PluginRequest, "id">, { status, code, message }: Refusal): PluginResponse => ({
  status,
  json: { success: false, code, message, requestId: id },
});

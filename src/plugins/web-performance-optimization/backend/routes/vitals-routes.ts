import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import type { Json, PluginRequest } from "#plugins/sdk/types.ts";
import type { PerformanceSettings } from "../read-settings.ts";
import type { NextPages } from "../vitals/next-pages.ts";
import type { PageTemplate } from "../vitals/page-template.ts";
import { readSummary } from "../vitals/summary.ts";
import type { VitalsStore } from "../vitals/vitals-store.ts";
import type { Beacon, SiteFacts } from "../wire.ts";
import { refusal } from "./refusal.ts";
import { vitalsOptions } from "./route-options.ts";

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

import type { Json, RouteOptions } from "#plugins/sdk/types.ts";
import { metrics, switchNames } from "../wire.ts";

const text = (example: string) => ({ type: "string", examples: [example] });
const number = (example: number) => ({ type: "number", minimum: 0, examples: [example] });
const flag = { type: "boolean" } as const;
const list = (items: Json): Json => ({ type: "array", items });
const object = (properties: Record<string, Json>): Json => ({
  type: "object",
  required: Object.keys(properties),
  properties,
});
const moment = { type: "string", format: "date-time" } as const;

const figure = {
  p75: number(1_840),
  count: number(312),
  rating: { type: "string", enum: ["good", "needs-improvement", "poor", "too-few"] },
};
const figures: Json = {
  type: "object",
  description: "One for each metric with measurements",
  properties: Object.fromEntries(metrics.map((metric) => [metric, object(figure)])),
};
const metric = { type: "string", enum: [...metrics] };
const switchName = { type: "string", enum: [...switchNames] };

const summary: Json = object({
  ...{ days: number(7), visits: number(312), metrics: figures },
  pages: list(object({ page: text("/"), visits: number(120), metrics: figures })),
  series: list(object({ at: moment, visits: number(44), metrics: figures })),
  firstAt: { type: ["string", "null"], format: "date-time" },
});

const cache: Json = object({
  isOn: flag,
  ...{ entries: number(3), bytes: number(41_000), mostBytes: number(33_554_432) },
  ...{ hits: number(210), misses: number(12), bypassed: number(4) },
  kept: list(
    object({
      ...{ id: number(1), path: text("/"), hits: number(70), bytes: number(9_000), ageSeconds: number(12) },
    }),
  ),
});

const measured = object({ bytes: number(9_000), ms: number(1.4) });
const report: Json = object({
  at: moment,
  repeats: number(5),
  seconds: number(20),
  switches: list(
    object({
      name: switchName,
      rows: list(object({ path: text("/"), off: measured, on: measured })),
      note: text("Bytes as transferred."),
    }),
  ),
  notes: list(text("Measured on this server.")),
});
const reportState: Json = object({
  isRunning: flag,
  done: number(3),
  total: number(10),
  error: { type: ["string", "null"], examples: [null] },
  report: { anyOf: [report, { type: "null" }] },
  rows: list(
    object({
      switch: switchName,
      path: text("/"),
      ...{ bytesOff: number(30_000), bytesOn: number(9_000), msOff: number(1.2), msOn: number(1.4) },
    }),
  ),
});

const message = text("The measurement has started.");

const path = { type: "string", minLength: 1, maxLength: 300, examples: ["/"] };
const beacon: Json = {
  type: "object",
  required: ["values"],
  additionalProperties: false,
  properties: {
    values: {
      type: "array",
      maxItems: 30,
      items: {
        type: "object",
        required: ["page", "metric", "value"],
        additionalProperties: false,
        properties: {
          page: path,
          metric: { enum: [...metrics] },
          value: { type: "number", minimum: 0, maximum: 600_000 },
        },
      },
    },
    steps: {
      type: "array",
      maxItems: 20,
      items: {
        type: "object",
        required: ["from", "to"],
        additionalProperties: false,
        properties: { from: path, to: path },
      },
    },
  },
};
const days: Json = { enum: ["1", "7", "28", "90"], description: "Number of days to include; 7 by default" };

/** The routes for visitors' measurements. */
export const vitalsOptions: { [name in "site" | "take" | "summary" | "figures"]: RouteOptions } = {
  site: {
    access: "public",
    summary: "Settings of the page script",
    description:
      "Which share of visits to measure, and which pages to prefetch. Caches may keep the response for five minutes.",
    answers: {
      200: {
        description: "The settings",
        schema: object({
          sample: { ...number(10), description: "Share of visits to measure, in percent" },
          next: { type: "object", additionalProperties: list(text("/about")) },
        }),
        example: { sample: 10, next: { "/": ["/about"] } },
      },
    },
  },
  take: {
    access: "public",
    summary: "Receive measurements from a visitor's browser",
    description:
      "At most 4 KB, and 30 requests a minute from one network. Measurements from browsers that opt out of tracking are ignored.",
    headers: ["dnt", "sec-gpc"],
    body: beacon,
    answers: {
      204: { description: "Accepted, or ignored because of visitor or site settings" },
      413: { description: "The request body exceeds 4 KB" },
      429: { description: "More than 30 requests a minute from this network" },
    },
  },
  summary: {
    summary: "Show page speed for visitors with all details",
    description:
      "Figures for all pages together, for each page, and for each day, or each hour of a single day.",
    query: {
      type: "object",
      properties: {
        days,
        admin: { enum: ["true", "false"], description: "`true` includes the admin area" },
      },
    },
    answers: { 200: { description: "The figures", schema: summary } },
  },
  figures: {
    summary: "List page speed for visitors",
    description: "The figures for all pages together, one metric per row, for tables.",
    query: { type: "object", properties: { days } },
    answers: {
      200: {
        description: "One row for each metric with measurements",
        schema: object({ days: number(7), rows: list(object({ metric, ...figure })) }),
      },
    },
  },
};

/** The routes for the response cache. */
export const cacheOptions: { [name in "get" | "purge"]: RouteOptions } = {
  get: {
    summary: "Show the response cache of this server",
    description: "The number and size of cached responses on this server, and those requested most.",
    answers: { 200: { description: "The state of the cache", schema: cache } },
  },
  purge: {
    summary: "Clear the response cache on all servers",
    description:
      "Responses are regenerated on the next request. With `path`, this server removes only the responses for that path; the others clear everything. The purge is recorded in the activity log.",
    proof: "none",
    body: {
      type: "object",
      additionalProperties: false,
      properties: { path: { type: "string", minLength: 1, maxLength: 300, pattern: "^/", examples: ["/"] } },
    },
    answers: {
      200: {
        description: "How many responses this server removed",
        schema: object({ message: text("3 cached responses purged on this server."), purged: number(3) }),
      },
    },
  },
};

/** The routes for the switches. */
export const switchOptions: { [name in "list" | "turn"]: RouteOptions } = {
  list: {
    summary: "Show the performance switches and their history",
    description: "The state of each switch, and visitors' figures before and after each change.",
    answers: {
      200: {
        description: "The switches and their history",
        schema: object({
          switches: list(object({ name: switchName, isOn: flag })),
          switchings: list(
            object({
              ...{ switch: switchName, isOn: flag, at: moment, before: figures, after: figures },
              others: number(0),
            }),
          ),
        }),
      },
    },
  },
  turn: {
    summary: "Change a performance switch",
    description:
      "Takes effect on all servers. The change is recorded in the activity log, unless nothing changes.",
    params: { name: `One of ${switchNames.join(", ")}` },
    body: { type: "object", required: ["isOn"], additionalProperties: false, properties: { isOn: flag } },
    answers: {
      200: {
        description: "The new state of the switch",
        schema: object({ message: text("Compression: on."), name: switchName, isOn: flag }),
      },
      404: { description: "Switch not found" },
    },
  },
};

/** The routes for the measurement. */
export const reportOptions: { [name in "get" | "start" | "end"]: RouteOptions } = {
  get: {
    summary: "Show the last measurement, and the one in progress",
    description: "The progress of the running measurement, and the results of the last one for each switch.",
    answers: { 200: { description: "Progress and last report", schema: reportState } },
  },
  start: {
    summary: "Measure the effect of the switches",
    description:
      "The server requests its own pages with each switch off and on, one after the other. Only one measurement runs at a time.",
    proof: "none",
    answers: {
      200: { description: "The measurement has started", schema: object({ message }) },
      409: { description: "A measurement is already running" },
    },
  },
  end: {
    summary: "Stop the running measurement",
    description: "Its results so far are discarded; the previous report stays.",
    proof: "none",
    answers: {
      200: { description: "The measurement is stopping", schema: object({ message }) },
      409: { description: "No measurement is running" },
    },
  },
};

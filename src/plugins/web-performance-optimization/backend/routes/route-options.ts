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
  description: "Of those metrics that were measured",
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
      note: text("Bytes as they are on the wire."),
    }),
  ),
  notes: list(text("Measured on the server that answers.")),
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

const message = text("The measurement has begun.");

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
const days: Json = { enum: ["1", "7", "28", "90"], description: "Of the last how many days; 7 unless given" };

/** How the calls for what visitors met are described. */
export const vitalsOptions: { [name in "site" | "take" | "summary" | "figures"]: RouteOptions } = {
  site: {
    access: "public",
    summary: "What the page script is to do",
    description:
      "Which share of visits is measured, and which pages to fetch ahead. Caches may keep it for five minutes.",
    answers: {
      200: {
        description: "What holds for the page script",
        schema: object({
          sample: { ...number(10), description: "Share of visits that are measured, in per cent" },
          next: { type: "object", additionalProperties: list(text("/about")) },
        }),
        example: { sample: 10, next: { "/": ["/about"] } },
      },
    },
  },
  take: {
    access: "public",
    summary: "Takes what a visitor's browser measured",
    description:
      "At most 4 KB, and 30 messages a minute from one network. Nothing is kept of browsers that ask not to be followed.",
    headers: ["dnt", "sec-gpc"],
    body: beacon,
    answers: {
      204: { description: "Taken, or left aside as the visitor or the settings want it" },
      413: { description: "The message has more than 4 KB" },
      429: { description: "More than 30 messages a minute from this network" },
    },
  },
  summary: {
    summary: "What visitors met",
    description: "Figures of all pages together, of each page, and of each day, or each hour of one day.",
    query: {
      type: "object",
      properties: {
        days,
        admin: { enum: ["true", "false"], description: "`true`: pages of the admin area count, too" },
      },
    },
    answers: { 200: { description: "The figures", schema: summary } },
  },
  figures: {
    summary: "What visitors met, as a list",
    description: "The figures of all pages together, one metric a row: for tables.",
    query: { type: "object", properties: { days } },
    answers: {
      200: {
        description: "One row for each metric that was measured",
        schema: object({ days: number(7), rows: list(object({ metric, ...figure })) }),
      },
    },
  },
};

/** How the calls for kept answers are described. */
export const cacheOptions: { [name in "get" | "purge"]: RouteOptions } = {
  get: {
    summary: "Kept answers, on the server that answers",
    description: "How many answers this server keeps, how much room they take, and which are asked for most.",
    answers: { 200: { description: "The state of the cache", schema: cache } },
  },
  purge: {
    summary: "Forgets kept answers on all servers; of one address on the one that answers, and all on others",
    description:
      "Kept answers are made anew when they are next asked for. It is written to the activity log. Without `path` everything is forgotten everywhere.",
    body: {
      type: "object",
      additionalProperties: false,
      properties: { path: { type: "string", minLength: 1, maxLength: 300, pattern: "^/", examples: ["/"] } },
    },
    answers: {
      200: {
        description: "How many answers this server forgot",
        schema: object({ message: text("3 kept answers of this server purged."), purged: number(3) }),
      },
    },
  },
};

/** How the calls for the switches are described. */
export const switchOptions: { [name in "list" | "turn"]: RouteOptions } = {
  list: {
    summary: "The switches, and when they were turned",
    description:
      "How each switch stands, and how figures of visitors differ before and after each time one was turned.",
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
    summary: "Turns a switch",
    description:
      "Has all servers answer accordingly from then on. It is written to the activity log, unless nothing changes.",
    params: { name: `One of ${switchNames.join(", ")}` },
    body: { type: "object", required: ["isOn"], additionalProperties: false, properties: { isOn: flag } },
    answers: {
      200: {
        description: "How the switch stands now",
        schema: object({ message: text("Compression: on."), name: switchName, isOn: flag }),
      },
      404: { description: "There is no such switch" },
    },
  },
};

/** How the calls for the measurement are described. */
export const reportOptions: { [name in "get" | "start" | "end"]: RouteOptions } = {
  get: {
    summary: "The last measurement, and the one under way",
    description: "How far the measurement is, and what the last one that ended found of each switch.",
    answers: { 200: { description: "How it stands", schema: reportState } },
  },
  start: {
    summary: "Begins a measurement of what switches do",
    description:
      "Asks this server for its own pages with each switch off and on, one after the other. One runs at a time.",
    answers: {
      200: { description: "It has begun", schema: object({ message }) },
      409: { description: "One is under way already" },
    },
  },
  end: {
    summary: "Ends the measurement under way",
    description: "What it found so far is dropped; the report before it stays.",
    answers: {
      200: { description: "It is being ended", schema: object({ message }) },
      409: { description: "None is under way" },
    },
  },
};

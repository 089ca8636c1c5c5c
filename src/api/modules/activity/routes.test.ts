import { describe, expect, test } from "bun:test";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { factAt, fillActivity } from "#api/testing/fill-activity.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { readRefusal } from "#api/testing/read-refusal.ts";
import {
  activitySeverities,
  activityStatuses,
  activityTexts,
  activityTypes,
  actorKinds,
} from "#contract/activity.ts";
import { fieldTexts } from "#contract/errors.ts";

const path = "/api/admin/activity";

const host = await hostForFile({ hasher: createCheapHasher() });
const start = host.clock.now().getTime() - 60_000;
await fillActivity(
  host.services,
  Array.from({ length: 60 }, (_, at) =>
    factAt(new Date(start + at), { status: at % 3 === 0 ? "failure" : "info" }),
  ),
);
const admin = await host.signedIn("admin");
await admin.call("GET", path);

const get = async (query: string) => (await (await admin.call("GET", `${path}${query}`)).json()).data;

describe("L6: a query of activities that cannot be meant is a 422 that says why:", () => {
  const rows = "Please ask for 1 to 100 rows";
  const begin = "Please begin at a whole number from 0";
  const anId = "Please give the id of an activity";
  const cases: [query: string, path: string, message: string][] = [
    ...["0", "-1", "101", "1e9", "1000000000", "NaN", "", "1.5", "0x10"].map(
      (value): [string, string, string] => [`limit=${value}`, "limit", rows],
    ),
    ...["1000000000000", "-1", "NaN", "1e12", ""].map((value): [string, string, string] => [
      `offset=${value}`,
      "offset",
      begin,
    ]),
    ...["0", "-1", "NaN", "", "1e3", "9999999999999999"].map((value): [string, string, string] => [
      `before=${value}`,
      "before",
      anId,
    ]),
    ...["2026-02-30", "yesterday", "1899-12-31", "10000-01-01", "%20", "2026-01-31T12:00:00"].flatMap(
      (value): [string, string, string][] => [
        [`startDate=${value}`, "startDate", activityTexts.dateInvalid],
        [`endDate=${value}`, "endDate", activityTexts.dateInvalid],
      ],
    ),
    ["startDate=2026-02-01&endDate=2026-01-31", "endDate", activityTexts.endBeforeStart],
    ...["plugin_exploded", "API_CALL", "%20", "api_call,", "api_call;admin_action", "__proto__", "*"].map(
      (value): [string, string, string] => [
        `type=${value}`,
        "type",
        activityTexts.wordUnknown(activityTypes),
      ],
    ),
    ["status=failed", "status", activityTexts.wordUnknown(activityStatuses)],
    ["severity=high,worst", "severity", activityTexts.wordUnknown(activitySeverities)],
    ["actorKind=admin", "actorKind", activityTexts.wordUnknown(actorKinds)],
    ["pluginName=core,", "pluginName", activityTexts.pluginNameInvalid],
    [`pluginName=core,${"a".repeat(101)}`, "pluginName", activityTexts.pluginNameInvalid],
    [`search=${"a".repeat(201)}`, "search", activityTexts.searchTooLong],
    ["search=a%00b", "search", fieldTexts.unprintable],
    ["type=api_call&type=admin_action", "type", fieldTexts.repeated],
    ["sort=timestamp", "sort", fieldTexts.unknown],
    ["order=asc", "order", fieldTexts.unknown],
    ["page=2", "page", fieldTexts.unknown],
  ];
  test.each(cases)("%s", async (query, field, message) => {
    const refusal = await readRefusal(await admin.call("GET", `${path}?${query}`));
    expect(refusal).toMatchObject({ status: 422, errors: [{ path: field, message }] });
  });

  // Sums have no pages.
  test.each(cases)("stats?%s", async (query, field, message) => {
    const told = ["limit", "offset", "before"].includes(field) ? fieldTexts.unknown : message;
    const refusal = await readRefusal(await admin.call("GET", `${path}/stats?${query}`));
    expect(refusal).toMatchObject({ status: 422, errors: [{ path: field, message: told }] });
  });

  test.each([
    ...["0", "367", "-1", "1e9", "NaN", "90;x"].map((value) => `days=${value}`),
    ...["search=ada", "startDate=2026-01-31", "type=none"],
  ])("days?%s", async (query) => {
    const refusal = await readRefusal(await admin.call("GET", `${path}/days?${query}`));
    expect(refusal).toMatchObject({ status: 422 });
  });
});

describe("the calls that read activities", () => {
  test("have defaults: 25 rows from the newest on, and 30 days", async () => {
    const { activities, pagination } = await get("");
    expect(activities).toHaveLength(25);
    expect(activities[0].id).toBe(pagination.total);
    expect(pagination).toMatchObject({ limit: 25, offset: 0 });
    expect((await get("/days")).days).toHaveLength(30);
  });

  test("take one word or several, and a plugin that was never there as one without activities", async () => {
    expect((await get("?status=failure")).pagination.total).toBe(20);
    expect((await get("?status=failure,info")).pagination.total).toBe(60);
    expect((await get("?pluginName=%27%3B--")).pagination.total).toBe(0);
  });

  test("take an empty filter for none, and say so of none but filters", async () => {
    const filters = ["type", "pluginName", "status", "severity", "actorKind", "security"];
    const empty = (names: string[]) => names.map((name) => `${name}=`).join("&");
    const all = await get("?limit=5");
    expect(await get(`?limit=5&${empty([...filters, "search", "startDate", "endDate"])}`)).toEqual(all);
    expect(await get(`?limit=5&${empty(["startDate"])}&status=failure`)).toEqual(
      await get("?limit=5&status=failure"),
    );
    expect(await get(`/days?${empty(filters)}`)).toEqual(await get("/days"));
    expect((await admin.call("GET", `${path}/days?days=`)).status).toBe(422);
  });

  test("change nothing", async () => {
    const before = await contentsOf(host.db);
    for (const query of [
      "",
      "?search=user",
      "?limit=100&offset=1000000000",
      "/stats",
      "/days?days=366",
      "/1",
    ]) {
      expect((await admin.call("GET", `${path}${query}`)).status).toBe(200);
    }
    expect(await contentsOf(host.db)).toEqual(before);
  });

  test("say that an activity is not there", async () => {
    for (const id of ["none", "0", "999999999999999", "1e3"]) {
      const refusal = await readRefusal(await admin.call("GET", `${path}/${id}`));
      expect(refusal).toMatchObject({ status: 404, code: "NOT_FOUND", message: activityTexts.unknown });
    }
  });
});

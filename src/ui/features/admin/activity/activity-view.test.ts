import { describe, expect, test } from "bun:test";
import { placeInput } from "#contract/create-client.ts";
import {
  type ActivityView,
  choiceInput,
  countFilters,
  listInput,
  noFilters,
  readView,
  turnedTo,
  withFilters,
  writeView,
  wrongFilters,
} from "./activity-view.ts";

const read = (query: string) => readView(new URLSearchParams(query));
const plain: ActivityView = {
  ...noFilters,
  page: 1,
  size: 25,
  before: null,
  activity: null,
  isLive: false,
};
const chosen: ActivityView = {
  search: "grace & co",
  type: "api_call",
  pluginName: "gone-since",
  status: "failure,warning",
  severity: "high",
  actorKind: "token",
  security: "true",
  startDate: "2026-11-01T10:30:00Z",
  endDate: "2026-11-05",
  page: 3,
  size: 50,
  before: 4_711,
  activity: 12,
  isLive: true,
};

describe("the address of the activity page", () => {
  test("shows everything when plain, and that is what everything is written as", () => {
    expect(read("")).toEqual(plain);
    expect(writeView(plain).toString()).toBe("");
    expect(countFilters(plain)).toBe(0);
  });

  test("is read again as it was written, whatever was chosen", () => {
    expect(readView(writeView(chosen))).toEqual(chosen);
    expect(countFilters(chosen)).toBe(9);
  });

  test("leaves out invalid values, and keeps a plugin that no longer exists", () => {
    expect(read("type=dance&status=failure,fine&severity=&limit=30&page=0&before=-1&activity=x")).toEqual({
      ...plain,
      status: "failure",
    });
    expect(read("startDate=yesterday&endDate=2026-13-40")).toEqual(plain);
    expect(read("startDate=1899-12-31&endDate=2100-01-01")).toEqual(plain);
    expect(read("startDate=1900-01-01&endDate=2099-12-31")).toMatchObject({
      startDate: "1900-01-01",
      endDate: "2099-12-31",
    });
    const wrong = (query: string) => wrongFilters(new URLSearchParams(query));
    expect(
      wrong("type=dance&status=failure,fine&severity=&limit=30&startDate=yesterday&security=no"),
    ).toEqual(["type=dance", "status=failure,fine", "security=no", "startDate=yesterday"]);
    expect(wrong(`${writeView(chosen)}&search=%20a%20&status=failure,%20warning`)).toEqual([]);
    expect(read("pluginName=gone").pluginName).toBe("gone");
    expect(read(`search=${"a".repeat(300)}`).search).toHaveLength(200);
  });
});

describe("what the API is asked", () => {
  test("are the filters, the size and the place of the page, under its own names", () => {
    const asked = (view: ActivityView) => placeInput("activity.list", listInput(view)).target.split("?")[1];
    expect(asked(plain)).toBe("limit=25&offset=0");
    expect(asked({ ...plain, status: "failure", page: 3, size: 10, before: 99 })).toBe(
      "status=failure&limit=10&offset=20&before=99",
    );
  });

  test("can be the choices only", () => {
    expect(Object.keys(choiceInput(chosen))).not.toContainAnyValues(["search", "startDate", "endDate"]);
    expect(choiceInput(chosen)).toMatchObject({ type: "api_call", status: "failure,warning" });
  });
});

describe("paging", () => {
  test("holds on to the newest row of page 1 from page 2 on, and lets go of it there", () => {
    const second = turnedTo(plain, 2, 900);
    expect(second).toMatchObject({ page: 2, before: 901 });
    const third = turnedTo(second, 3, 875);
    expect(third).toMatchObject({ page: 3, before: 901 });
    expect(turnedTo(third, 1, 850)).toMatchObject({ page: 1, before: null });
  });

  test("starts over with every other filter", () => {
    expect(withFilters(chosen, { status: "" })).toMatchObject({
      status: "",
      page: 1,
      before: null,
      size: 50,
    });
  });
});

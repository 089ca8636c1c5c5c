import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { openBrowserWindow } from "./browser-window.ts";
import { startHeldTimers } from "./held-timers.ts";
import { startScriptedApi } from "./scripted-api.ts";

describe("the scripted API", () => {
  let api: ReturnType<typeof startScriptedApi>;

  beforeEach(() => {
    api = startScriptedApi({ "GET /api/usual": {} });
    api.answer({ "POST /api/here": ({ body }) => ({ heard: body }) });
  });
  afterEach(() => api.stop());

  test("answers what is planned and keeps what was asked, but for what every page asks for", async () => {
    await fetch("/api/usual");
    const answer = await fetch("/api/here?a=1", { method: "POST", body: '{"b":2}' });
    expect(await answer.json()).toEqual({ heard: { b: 2 } });
    expect(api.calls).toMatchObject([{ route: "POST /api/here", query: "a=1", body: { b: 2 } }]);
    expect(api.unplanned).toEqual([]);
  });

  test("keeps unexpected requests, which fail the page's test", async () => {
    expect(await fetch("/api/elsewhere").catch(String)).toContain("no answer is planned");
    expect(api.unplanned).toEqual(["GET /api/elsewhere"]);
  });
});

test("longer timers wait until time passes, in their order, and shorter ones do not", async () => {
  const timers = startHeldTimers();
  const rung: string[] = [];
  setTimeout(() => rung.push("late"), 3_000);
  const every = setInterval(() => rung.push("every"), 1_000);
  clearTimeout(setTimeout(() => rung.push("never"), 2_000));
  await new Promise((resolve) => setTimeout(resolve, 1));
  await timers.pass(2_999);
  expect(rung).toEqual(["every", "every"]);
  await timers.pass(1);
  clearInterval(every);
  await timers.pass(9_000);
  timers.stop();
  expect(rung).toEqual(["every", "every", "late", "every"]);
});

test("a window's names are global only between entering and leaving it", () => {
  const names = () => [typeof window, typeof document, Event];
  const before = names();
  const browser = openBrowserWindow();
  browser.enter();
  browser.reset("/about?x=1");
  expect([location.pathname, location.search, typeof document]).toEqual(["/about", "?x=1", "object"]);
  browser.leave();
  expect(names()).toEqual(before);
});

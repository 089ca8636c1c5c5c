import { describe, expect, test } from "bun:test";
import { lazyPage } from "./lazy-page.tsx";

const Page = () => null;

describe("a page that comes when it is wanted", () => {
  test("is fetched once, however often it is asked for", async () => {
    let imports = 0;
    const page = lazyPage(async () => {
      imports += 1;
      return Page;
    });
    expect(page.read()).toEqual({ step: "idle" });
    await Promise.all([page.load(), page.load()]);
    await page.load();
    expect(imports).toBe(1);
    expect(page.read()).toEqual({ step: "loaded", component: Page });
  });

  test("can be tried again after it could not be had", async () => {
    const outcomes = [() => Promise.reject(new TypeError("failed to fetch")), () => Promise.resolve(Page)];
    const page = lazyPage(() => outcomes.shift()?.() ?? Promise.resolve(Page));
    await page.load();
    expect(page.read().step).toBe("failed");
    await page.load();
    expect(page.read().step).toBe("loaded");
  });

  test("fails when its code does not arrive in time, and tells its watchers", async () => {
    const page = lazyPage(() => new Promise(() => {}), 5);
    const steps: string[] = [];
    page.subscribe(() => steps.push(page.read().step));
    await page.load();
    expect(steps).toEqual(["loading", "failed"]);
  });
});

import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { inOrder } from "#api/testing/in-order.ts";
import { until } from "#api/testing/until.ts";
import type { WatchedPage } from "../driver/browser.ts";
import { asOperator } from "../driver/plugin-caller.ts";
import { openLive } from "./live.ts";
import { stageForFile, type Viewer } from "./stage.ts";

const plugin = "web-performance-optimization";
const address = `/admin/${plugin}`;
const stage = await stageForFile();
let admin: WatchedPage;
const opened: WatchedPage[] = [];

const open = async (who: Viewer, view = {}): Promise<WatchedPage> => {
  const visit = await stage.open(who, view);
  opened.push(visit);
  return visit;
};

/** A call of the admin's, from their own window. */
const asAdmin = (method: string, path: string, body?: object): Promise<string> =>
  admin.page.evaluate(
    async ({ method, path, body }) => {
      const headers = { "content-type": "application/json" };
      const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
      return (await fetch(path, init)).text();
    },
    { method, path, body },
  );

const turn = (name: string, isOn: boolean) => asAdmin("PUT", `/api/${plugin}/switches/${name}`, { isOn });

/** Looks at an address as a visitor's browser does, bytes as they travel. */
const look = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${stage.url}${path}`, { headers, decompress: false, redirect: "manual" });
  return { headers: answer.headers, bytes: await answer.bytes(), status: answer.status };
};

declare global {
  // Whether the page would tell of its visit when it goes out of sight; written by the page itself.
  var isMeasured: boolean | undefined;
}

/** Has a page note when it begins to listen for its own end, which nothing but the measuring does. */
const tellWhenMeasured = (page: Page) =>
  page.addInitScript(() => {
    const { addEventListener } = window;
    window.addEventListener = (...given: Parameters<typeof addEventListener>) => {
      if (given[0] === "pagehide") globalThis.isMeasured = true;
      addEventListener.apply(window, given);
    };
  });

const flawsOf = async (page: Page): Promise<string[]> => {
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"])
    .analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(" ")}`);
};

beforeAll(async () => {
  admin = await stage.open("admin");
  await openLive(admin.page, `${stage.url}/admin/plugins`);
  const enabled = await asAdmin("POST", `/api/plugins/${plugin}/toggle`, { enabled: true, consent: true });
  expect(enabled).toContain('"success":true');
}, 90_000);

afterEach(async () => {
  for (const { context } of opened.splice(0)) await context.close();
});

afterAll(async () => {
  await admin.context.close();
});

// Only the first visit follows none, and what comes later tells of it.
const step = inOrder();

step(
  "before the first visit the page says how one comes about, and has no serious flaw",
  async () => {
    const { page, complaints } = await open("admin");
    await openLive(page, `${stage.url}${address}`);
    await page.getByText("No visits measured yet").waitFor();
    expect(await flawsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
  },
  60_000,
);

step(
  "how fast a page was for a visitor stands on the page, and no cookie comes with it",
  async () => {
    const { page, context } = await open("visitor");
    await tellWhenMeasured(page);
    await openLive(page, `${stage.url}/about`);
    await page.waitForFunction(() => globalThis.isMeasured === true);
    const sending = page.waitForRequest(`**/api/${plugin}/vitals`);
    // As when the reader turns to another tab, which a browser without a screen never does.
    await page.evaluate(() => {
      Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    });
    const sent = await sending;
    expect(await sent.allHeaders()).not.toHaveProperty("cookie");
    expect(sent.postData()).toContain('"TTFB"');
    await (await sent.response())?.finished();
    expect(await context.cookies()).toEqual([]);
    const { page: looked } = await open("admin");
    await openLive(looked, `${stage.url}${address}`);
    const row = looked.getByRole("table", { name: "Pages" }).getByRole("row").filter({ hasText: "/about" });
    await row.waitFor();
    const summary = await asAdmin("GET", `/api/${plugin}/summary?days=1`);
    expect(JSON.parse(summary)).toMatchObject({ visits: 1, pages: [{ page: "/about", visits: 1 }] });
  },
  60_000,
);

step(
  "a span of time without visits says when one is measured",
  async () => {
    const { page } = await open("admin");
    await page.route(`**/api/${plugin}/summary?**`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), visits: 0 } });
    });
    await openLive(page, `${stage.url}${address}`);
    await page.getByText("No visits measured in this time range").waitFor();
    await page.getByText("when the visitor leaves or hides the page").waitFor();
  },
  60_000,
);

step(
  "a place that is none of the page's says so, and leads to the first",
  async () => {
    const { page, complaints } = await open("admin");
    await openLive(page, `${stage.url}${address}/nothing`);
    await page.getByText("Page not found").waitFor();
    expect(await page.locator("[aria-current=page]", { hasText: "Visitors" }).count()).toBe(0);
    await page.getByRole("link", { name: "Page speed for visitors" }).last().click();
    await page.getByRole("table", { name: "Pages" }).waitFor();
    await page.getByText("24 hours ago").waitFor({ state: "detached" });
    await page.getByLabel("Time range").selectOption("1");
    await page.getByText("24 hours ago").waitFor();
    await page.getByLabel("Include the admin area").check();
    expect(await flawsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
  },
  60_000,
);

step(
  "a visit that ends by leaving the site is told, too",
  async () => {
    const { page } = await open("visitor");
    const asked = page.waitForResponse(`**/api/${plugin}/site`);
    await openLive(page, `${stage.url}/terms`);
    await (await asked).finished();
    await page.getByRole("link", { name: "Privacy" }).first().click();
    await page.waitForURL("**/privacy");
    await page.goto("about:blank");
    const told = () => asAdmin("GET", `/api/${plugin}/summary?days=1`);
    await until(async () => (await told()).includes("/terms"));
    expect(await told()).not.toContain("/privacy");
  },
  60_000,
);

test("visitors who opt out of tracking are not measured", async () => {
  const before = JSON.parse(await asAdmin("GET", `/api/${plugin}/summary?days=1`)).visits;
  const { page } = await open("visitor");
  await page.addInitScript(() => Object.defineProperty(navigator, "globalPrivacyControl", { value: true }));
  const told: string[] = [];
  page.on("request", (request) => told.push(new URL(request.url()).pathname));
  const asked = page.waitForResponse(`**/api/${plugin}/site`);
  await openLive(page, `${stage.url}/about`);
  await asked;
  await page.goto(`${stage.url}/contact`);
  expect(told).not.toContain(`/api/${plugin}/vitals`);
  const body = JSON.stringify({ values: [{ page: "/", metric: "LCP", value: 1 }], steps: [] });
  const headers = { "content-type": "application/json", "sec-gpc": "1" };
  const sent = await fetch(`${stage.url}/api/${plugin}/vitals`, { method: "POST", headers, body });
  expect(sent.status).toBe(204);
  expect(JSON.parse(await asAdmin("GET", `/api/${plugin}/summary?days=1`)).visits).toBe(before);
}, 60_000);

test("a switch on the page compresses calls, and says so in the activity log", async () => {
  const accepted = { "accept-encoding": "gzip, deflate, br, zstd" };
  const plain = await look("/swagger/json", accepted);
  const short = await look("/api/plugins", accepted);
  expect(plain.headers.get("content-encoding")).toBeNull();
  const { page } = await open("admin");
  await openLive(page, `${stage.url}${address}/switches`);
  const toggle = page.getByRole("switch", { name: "Compression of dynamic responses" });
  await toggle.click();
  await page.getByText("Compression of dynamic responses: on.").waitFor();
  const packed = await look("/swagger/json", accepted);
  expect(packed.headers.get("content-encoding")).toBe("zstd");
  expect(Bun.zstdDecompressSync(packed.bytes)).toEqual(Buffer.from(plain.bytes));
  expect(packed.bytes.byteLength).toBeLessThan(plain.bytes.byteLength / 2);
  // What is left as it is does not get a longer head either.
  const left = await look("/api/plugins", accepted);
  expect(short.bytes.byteLength).toBeLessThan(1_024);
  expect([left.headers.get("vary"), left.bytes.byteLength]).toEqual([
    short.headers.get("vary"),
    short.bytes.byteLength,
  ]);
  expect(await asAdmin("GET", "/api/admin/activity?search=dynamic")).toContain("turned on");
  await turn("compression", false);
  expect((await look("/swagger/json", accepted)).headers.get("content-encoding")).toBeNull();
}, 60_000);

test("what is for one person is never kept for another, while visitors share", async () => {
  await turn("responseCache", true);
  const cookieOf = async (who: Viewer) =>
    (await (await open(who)).context.cookies(stage.url))
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ");
  const [ada, grace] = [await cookieOf("admin"), await cookieOf("user")];
  expect((await look("/about")).headers.get("x-atrium-cache")).toBe("miss");
  expect((await look("/about")).headers.get("x-atrium-cache")).toBe("hit");
  for (const path of ["/about", "/dashboard", "/api/auth/user", "/api/plugins"]) {
    const answers = [
      await look(path, { cookie: ada }),
      await look(path, { cookie: grace }),
      await look(path),
    ];
    const [forAda = "", forGrace = "", forNobody = ""] = answers.map(({ bytes }) =>
      new TextDecoder().decode(bytes),
    );
    expect(answers.slice(0, 2).map(({ headers }) => headers.get("x-atrium-cache"))).not.toContain("hit");
    for (const other of [forGrace, forNobody]) expect(other).not.toContain("ada@example.test");
    expect(forNobody).not.toContain("grace@example.test");
    if (path === "/api/auth/user") {
      expect(forAda).toContain("ada@example.test");
      expect(forGrace).toContain("grace@example.test");
      expect(answers[2]?.status).toBe(401);
    }
  }
  await turn("responseCache", false);
  expect((await look("/about")).headers.get("x-atrium-cache")).toBeNull();
}, 60_000);

test("a site of another name is never called by its former one from the cache", async () => {
  await turn("responseCache", true);
  const nameIt = (name: string) => asOperator(stage.dataDir).ask("PUT", "/api/auth/settings/site", { name });
  expect((await look("/about")).headers.get("x-atrium-cache")).toBe("miss");
  await nameIt("Northwind");
  const html = new TextDecoder().decode((await look("/about")).bytes);
  expect(/<title>(.*?)<\/title>/.exec(html)?.[1]).toBe("About · Northwind");
  await nameIt("Atrium");
  await turn("responseCache", false);
}, 60_000);

test("a purge on the page empties the cache", async () => {
  await turn("responseCache", true);
  await look("/about");
  await look("/terms");
  for (const kept of [
    await look("/api/plugins"),
    await look("/api/plugins"),
    await look("/api/plugins?x=1"),
  ]) {
    const told = (kept.headers.get("vary") ?? "").split(",").map((name) => name.trim().toLowerCase());
    expect(told).toEqual([...new Set(told)]);
  }
  expect((await look("/api/plugins")).headers.get("x-atrium-cache")).toBe("hit");
  expect((await look("/api/plugins?x=1")).headers.get("x-atrium-cache")).toBe("bypass");
  const { page, complaints } = await open("admin", { width: 390 });
  await openLive(page, `${stage.url}${address}/cache`);
  await page.getByRole("button", { name: "Purge /about" }).click();
  await page.getByRole("cell", { name: "/about", exact: true }).waitFor({ state: "detached" });
  await page.getByRole("cell", { name: "/terms", exact: true }).waitFor();
  await page.getByRole("button", { name: "Purge everything" }).click();
  await page.getByText("The cache is empty").waitFor();
  expect((await look("/terms")).headers.get("x-atrium-cache")).toBe("miss");
  expect(complaints).toEqual([]);
  await turn("responseCache", false);
}, 60_000);

test("the server measures on itself what switches do, and is honest where they do nothing", async () => {
  const { page, complaints } = await open("admin", { theme: "dark" });
  await openLive(page, `${stage.url}${address}/switches`);
  await page.getByRole("button", { name: "Measure now" }).click();
  await page.getByText(/^Measured .* Medians\.$/).waitFor();
  await page.getByText("nothing changes for them", { exact: false }).waitFor();
  const table = page.getByRole("table", {
    name: "Compression of dynamic responses: Measured on this server",
  });
  await table.getByRole("cell", { name: "/swagger/json" }).waitFor();
  expect(await flawsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
}, 60_000);

import { beforeAll, describe, expect, test } from "bun:test";
import type { Page, Request } from "playwright-core";
import { asOperator } from "../driver/plugin-caller.ts";
import { installPlugin, trustedKey } from "./installed-plugin.ts";
import { openLive } from "./live.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

const name = "site-notes";
const backend = `
export default { name: "${name}", version: "1.0.0", setup(ctx) {
  ctx.routes.get("/greeting", { access: "public" }, ({ user }) => ({ text: user === null ? "Hello, stranger" : "Hello, " + user.name }));
  ctx.routes.post("/seen", { access: "public", body: { type: "object" } }, () => null);
} };`;
const script = `export default { name: "${name}", version: "1.0.0", start(api) {
  api.get("/greeting").then(({ text }) => api.fillSlot("licensing", { text, href: "/about", title: "From a plugin" }));
  api.send("/seen", { path: api.path() });
  api.onNavigate((path) => api.send("/seen", { path }));
} };`;
const manifest = {
  title: "Site notes",
  frontend: { entry: "frontend/index.js", site: "frontend/site.js" },
  permissions: ["routes", "routes.public", "ui.page", "ui.site"],
};
const page = (of: string) => `export default { name: "${of}", version: "1.0.0", mount() {} };`;

/** The requests of the page to the plugin's own routes, as they come. */
const noteCalls = (page: Page): Request[] => {
  const calls: Request[] = [];
  page.on("request", (request) => request.url().includes(`/api/${name}/`) && calls.push(request));
  return calls;
};

beforeAll(async () => {
  // The place in the footer is one, and the last who fills it has it.
  await asOperator(stage.dataDir).toggle("licensing", false);
  const { page: admin, context } = await stage.open("admin");
  await openLive(admin, `${stage.url}/admin/plugins`);
  const privateKey = await trustedKey(admin);
  const failing = {
    name: "failing-site",
    privateKey,
    manifest: { ...manifest, title: "Failing", permissions: ["ui.page", "ui.site"] },
  };
  await installPlugin(admin, {
    ...failing,
    backend: `export default { name: "failing-site", version: "1.0.0", setup() {} };`,
    files: {
      "frontend/index.js": page("failing-site"),
      "frontend/site.js": `export default { name: "failing-site", version: "1.0.0", start() { throw new Error("no"); } };`,
    },
  });
  await installPlugin(admin, {
    ...{ name, privateKey, manifest, backend },
    files: { "frontend/index.js": page(name), "frontend/site.js": script },
  });
  await context.close();
}, 90_000);

describe("a plugin's script for every page", () => {
  for (const who of ["visitor", "user", "admin"] as const)
    test(`runs for a ${who} without credentials, is requested once per document, and moves nothing`, async () => {
      const { page, complaints } = await stage.open(who, { width: 390 });
      const asked: string[] = [];
      page.on(
        "request",
        (request) => request.url().endsWith("/api/plugins/site-scripts") && asked.push(request.url()),
      );
      await openLive(page, `${stage.url}/about`);
      const link = page.getByRole("contentinfo").getByRole("link", { name: "Hello, stranger" });
      await link.waitFor();
      expect(await link.getAttribute("title")).toBe("From a plugin");
      const height = () => document.documentElement.scrollHeight;
      const filled = await page.evaluate(height);
      await page.evaluate(() => document.querySelector("footer a[title]")?.remove());
      expect(await page.evaluate(height)).toBe(filled);
      expect([asked.length, complaints]).toEqual([1, []]);
    });

  test("is told of each page change, in the admin area too, and sends no cookies", async () => {
    const { page } = await stage.open("admin");
    const calls = noteCalls(page);
    const told = () => page.waitForRequest((request) => request.url().endsWith("/seen"));
    await Promise.all([told(), openLive(page, `${stage.url}/admin`)]);
    const menu = page.getByRole("navigation", { name: "Admin", exact: true });
    await Promise.all([told(), menu.getByRole("link", { name: "Users" }).click()]);
    await Promise.all([told(), page.goBack()]);
    const beacons = calls.filter((request) => request.method() === "POST");
    expect(beacons.map((request) => request.postDataJSON().path)).toEqual([
      "/admin",
      "/admin/users",
      "/admin",
    ]);
    const headers = await Promise.all(calls.map((request) => request.allHeaders()));
    expect(headers.map(({ cookie }) => cookie)).toEqual(Array(4).fill(undefined));
  });

  test("is removed from the admin's window immediately when its plugin is disabled, and from every next document", async () => {
    const { page: admin, context: own } = await stage.open("admin");
    const { page: visitor, context } = await stage.open("visitor");
    const link = (page: Page) => page.getByRole("link", { name: "Hello, stranger" });
    const listed = () =>
      admin.waitForResponse((response) => response.url().endsWith("/api/plugins/site-scripts"));
    await Promise.all([listed(), openLive(admin, `${stage.url}/admin/plugins`)]);
    await Promise.all([listed(), admin.getByRole("switch", { name: "Enable Site notes" }).click()]);
    await admin.getByRole("link", { name: "About" }).first().click();
    await admin.getByRole("contentinfo").waitFor();
    await link(admin).waitFor({ state: "detached" });
    await openLive(visitor, `${stage.url}/about`);
    await visitor.waitForLoadState("networkidle");
    expect(await link(visitor).count()).toBe(0);
    await context.close();
    await own.close();
    // The others look for it.
    await asOperator(stage.dataDir).toggle(name, true);
  });
});

import { beforeAll, expect, test } from "bun:test";
import { accentFor } from "#contract/accent.ts";
import { asOperator } from "../driver/plugin-caller.ts";
import { comesTo } from "./live.ts";
import { stageForFile } from "./stage.ts";

const name = `North & <b>"wind"</b>`;
const supportEmail = "help@b.example";
const stage = await stageForFile();

beforeAll(async () => {
  await asOperator(stage.dataDir).ask("PUT", "/api/auth/settings/site", {
    name,
    accent: "#ffcc00",
    supportEmail,
  });
}, 90_000);

for (const [path, who, title] of [
  ["/", "visitor", name],
  ["/login", "visitor", `Sign In · ${name}`],
  ["/about", "visitor", `About · ${name}`],
  ["/dashboard", "user", `Dashboard · ${name}`],
  ["/admin", "admin", `Overview · ${name} admin`],
] as const)
  test(`${path} calls the site what it is called from the first paint on, and React finds its markup as it renders it`, async () => {
    const { page, complaints } = await stage.open(who);
    await page.addInitScript(() => {
      const shown = new Set<string>();
      Object.assign(window, { shown });
      const look = () => {
        const link = document.querySelector('a[href="/"]');
        const text = link?.textContent ?? "";
        // The parser has the link before its text.
        if (link !== null && (text !== "" || document.readyState !== "loading")) shown.add(text);
      };
      new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
    });
    await page.goto(`${stage.url}${path}`);
    await page.evaluate(() => document.dispatchEvent(new PointerEvent("pointermove", { bubbles: true })));
    await page.waitForLoadState("networkidle");
    expect(await page.evaluate(() => [...(Reflect.get(window, "shown") as Set<string>)])).toEqual([name]);
    await comesTo(() => page.title(), title);
    expect(await page.locator("b", { hasText: "wind" }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

for (const theme of ["light", "dark"] as const)
  test(`pages have the site's color in the ${theme} theme, before and after the whole style sheet is there`, async () => {
    const { color } = accentFor("#ffcc00", theme);
    for (const path of ["/", "/login", "/docs", "/swagger"]) {
      const { page, context, complaints } = await stage.open("visitor", { theme });
      const primary = () =>
        page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--primary").trim());
      await page.goto(`${stage.url}${path}`, { waitUntil: "commit" });
      await page.locator("h1").first().waitFor();
      expect([path, await primary()]).toEqual([path, color]);
      await page.waitForLoadState("networkidle");
      expect([path, await primary()]).toEqual([path, color]);
      expect(complaints).toEqual([]);
      await context.close();
    }
  });

test("the contact page shows the support address, while there is one", async () => {
  const { page, complaints } = await stage.open("visitor");
  const link = page.getByRole("link", { name: supportEmail });
  await page.goto(`${stage.url}/contact`);
  expect(await link.getAttribute("href")).toBe(`mailto:${supportEmail}`);
  await page.waitForLoadState("networkidle");
  expect(await link.isVisible()).toBe(true);
  await asOperator(stage.dataDir).ask("PUT", "/api/auth/settings/site", { supportEmail: "" });
  await page.reload({ waitUntil: "networkidle" });
  expect(await page.locator("[data-when=support]").isVisible()).toBe(false);
  expect(complaints).toEqual([]);
});

test("a home page and texts of the site's own are there from the first paint on, and within the application", async () => {
  const text = (title: string) => `Hello *you*\n\n## ${title} <b>"x"</b>\n\n[a](javascript:alert(1))`;
  await asOperator(stage.dataDir).ask("PUT", "/api/auth/settings/site", {
    ...{ home: "sections", homeText: text("Fast"), termsText: text("Rules") },
    ...{ privacyText: "https://b.example/privacy", socialLinks: ["Us & <them> https://b.example/@us"] },
  });
  const { page, complaints } = await stage.open("visitor");
  const heading = (title: string) => page.getByRole("heading", { level: 2, name: `${title} <b>"x"</b>` });
  const inFooter = (label: string) => page.getByRole("contentinfo").getByRole("link", { name: label });
  await page.goto(`${stage.url}/`, { waitUntil: "networkidle" });
  expect(await page.locator("h1").textContent()).toBe(name);
  expect(await heading("Fast").isVisible()).toBe(true);
  expect(await inFooter("Us & <them>").getAttribute("href")).toBe("https://b.example/@us");
  expect(await inFooter("Privacy").getAttribute("href")).toBe("https://b.example/privacy");
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await inFooter("Terms").click();
  await heading("Rules").waitFor();
  await page.getByRole("link", { name: "Home" }).first().click();
  await heading("Fast").waitFor();
  expect(await page.evaluate(() => Reflect.get(window, "isSame"))).toBe(true);
  await page.goto(`${stage.url}/terms`, { waitUntil: "networkidle" });
  expect(await heading("Rules").isVisible()).toBe(true);
  expect(await page.locator("main a, b").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("links to the documentation are shown to those who may read it", async () => {
  await asOperator(stage.dataDir).ask("PUT", "/api/auth/settings/site", { docs: "members" });
  for (const [who, isThere] of [
    ["visitor", false],
    ["user", true],
  ] as const) {
    const { page, context } = await stage.open(who);
    await page.goto(`${stage.url}/about`);
    expect([
      who,
      await page.getByRole("contentinfo").getByRole("link", { name: "Docs" }).isVisible(),
    ]).toEqual([who, isThere]);
    await context.close();
  }
  await asOperator(stage.dataDir).ask("PUT", "/api/auth/settings/site", { docs: "everybody" });
});

test("the longest name fits 320 px", async () => {
  await asOperator(stage.dataDir).ask("PUT", "/api/auth/settings/site", { name: "W".repeat(40) });
  const { page } = await stage.open("admin", { width: 320 });
  // A phone's window grows with a page that is too wide for it.
  const widthOf = () => page.evaluate(() => document.documentElement.scrollWidth);
  for (const path of ["/", "/about", "/dashboard", "/admin", "/docs", "/swagger"]) {
    await page.goto(`${stage.url}${path}`);
    await page.locator("h1").first().waitFor();
    expect([path, await widthOf()]).toEqual([path, 320]);
  }
});

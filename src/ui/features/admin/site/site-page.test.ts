import { expect, test } from "bun:test";
import { accentFor } from "#contract/accent.ts";
import { builtInHomeText, homeSections, sectionTitle } from "#contract/home-text.ts";
import { settingsTexts as words } from "#contract/settings.ts";
import { siteElementId, siteOf, unsetSite } from "#contract/site.ts";
import { siteParts, siteSettings } from "#contract/site-settings.ts";
import { someSite } from "#ui/testing/answers.ts";
import { openPages, refusal } from "#ui/testing/pages.ts";
import { historyTexts } from "../settings/history-panel.tsx";
import { fieldsTexts, settingsPageTexts } from "../settings/texts.ts";
import { sitePageTexts as texts } from "./texts.ts";

const { name, accent, tagline, homeText } = siteSettings.fields;
const route = "PUT /api/auth/settings/site";
const history = "GET /api/auth/settings/history";
const noChanges = { data: { changes: [], pagination: { total: 0, limit: 10 } } };

const open = openPages();
const openSite = async (saved = someSite(), changes: object = noChanges) => {
  const page = await open("/admin/site", {
    as: "admin",
    answers: {
      "GET /api/auth/settings/site": { data: saved },
      "GET /admin/site": () => new Response(pageSaying("Atrium")),
      [history]: changes,
    },
  });
  await page.findByLabelText(name.label);
  return page;
};
const pageSaying = (name: string, look = "") =>
  `<style>a{}</style><style>${look}</style><script id="${siteElementId}">${JSON.stringify(siteOf({ ...unsetSite, name }))}</script>`;
const preview = () =>
  [...document.querySelectorAll("[role=img]")].map((shown) => [
    shown.getAttribute("aria-label"),
    shown.textContent?.includes("North & <b>wind</b>"),
    shown.getAttribute("style")?.includes(`--primary: ${accentFor("#ffcc00", "light").color}`),
  ]);

test("a name and a color are previewed in both themes as they are typed, and saved together", async () => {
  const page = await openSite();
  await page.fill(accent.label, "blue");
  await page.shows(/must be a # and six hexadecimal digits/);
  expect(page.has(fieldsTexts.samples.light)).toBe(false);
  await page.fill(name.label, "North & <b>wind</b>");
  await page.fill(accent.label, "#ffcc00");
  for (const theme of ["light", "dark"] as const) await page.shows(accentFor("#ffcc00", theme).color);
  await page.until(() =>
    expect(preview()).toEqual([
      [texts.themes.light, true, true],
      [texts.themes.dark, true, false],
    ]),
  );
  page.answer({ [route]: { data: someSite({ name: "North & <b>wind</b>", accent: "#ffcc00" }) } });
  await page.press(settingsPageTexts.save);
  await page.shows(settingsPageTexts.unchanged);
  expect(page.calls(route).map(({ body }) => body)).toEqual([
    { name: "North & <b>wind</b>", accent: "#ffcc00" },
  ]);
  expect(page.calls(history).map(({ query }) => query)).toEqual(Array(2).fill("limit=10&section=site"));
});

test("each setting is in the card that it is declared for, and links lead to the cards", async () => {
  const page = await openSite();
  const links = await page.inside("navigation", settingsPageTexts.onThisPage);
  for (const part of siteParts) {
    const { name } = texts.parts[part];
    const card = await page.inside("region", name);
    const labels = siteSettings.settings.flatMap(([, setting]) =>
      setting.part === part ? [setting.label] : [],
    );
    expect(labels).not.toEqual([]);
    for (const label of labels) expect([label, card.queryAllByText(label).length > 0]).toEqual([label, true]);
    expect(links.getByRole("link", { name }).getAttribute("href")).toBe(`#${part}`);
    expect(document.getElementById(part)?.getAttribute("aria-labelledby")).toBe(`${part}-title`);
  }
  expect(siteSettings.settings.filter(([, { part }]) => !siteParts.some((known) => known === part))).toEqual(
    [],
  );
});

test("a renamed site is offered a home page of its own, whose sections can be put in another order", async () => {
  const page = await openSite();
  expect(page.offers("button", texts.useOwnHome)).toBe(false);
  await page.fill(name.label, "Northwind");
  await page.press(texts.useOwnHome);
  expect(page.offers("button", texts.useOwnHome)).toBe(false);
  const [first = "", second = ""] = homeSections(builtInHomeText).sections.map(sectionTitle);
  await page.press(texts.moveUp(second));
  await page.press(texts.moveUp(second));
  const order = () => homeSections(page.value(homeText.label)).sections.map(sectionTitle).slice(0, 2);
  expect(order()).toEqual([second, first]);
  await page.press(texts.moveDown(second));
  expect(page.value(homeText.label)).toBe(builtInHomeText.trim());
});

test("on a narrow window the preview opens beside what is typed", async () => {
  const page = await openSite();
  await page.fill(name.label, "Northwind");
  await page.press(texts.openPreview);
  const sheet = await page.inside("dialog", texts.preview);
  expect(sheet.getByRole("img", { name: texts.themes.dark }).textContent).toContain("Northwind");
});

test("once saved, the tab's title, icon, header and color are the new ones", async () => {
  const page = await openSite();
  document.head.insertAdjacentHTML("beforeend", '<link rel="icon" href="/favicon.ico" />');
  await page.fill(name.label, "Northwind");
  page.answer({
    [route]: { data: someSite({ name: "Northwind" }) },
    "GET /admin/site": () => new Response(pageSaying("Northwind", ":root{--primary:#123456}")),
  });
  await page.press(settingsPageTexts.save);
  await page.until(() => expect(document.title).toBe("Site · Northwind admin"));
  expect(page.getAllByRole("link", { name: "Northwind" })).not.toEqual([]);
  expect(document.querySelector("link[rel=icon]")?.getAttribute("href")).toMatch(/^\/favicon\.ico\?\d+$/);
  expect(document.adoptedStyleSheets.map(({ cssRules }) => cssRules[0]?.cssText)).toEqual([
    ":root { --primary: #123456; }",
  ]);
});

test("what the server refuses is said beside its field", async () => {
  const page = await openSite();
  await page.fill(tagline.label, "For everyone");
  page.answer({
    [route]: refusal("VALIDATION_FAILED", "Please check", {
      errors: [{ path: "tagline", message: "Not this" }],
    }),
  });
  await page.press(settingsPageTexts.save);
  await page.shows("Not this");
  await page.focusIsAt(page.getByLabelText(tagline.label));
});

test("what the operator has set in a file is shown, says why it is locked and can't be typed into", async () => {
  const page = await openSite(
    someSite({ name: "Northwind", locked: [{ path: "name", reason: words.fixedByFile }] }),
  );
  const field = page.getByLabelText<HTMLInputElement>(name.label);
  expect([field.value, field.readOnly]).toEqual(["Northwind", true]);
  expect(document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent).toBe(
    words.fixedByFile,
  );
  expect(page.getByLabelText<HTMLInputElement>(tagline.label).readOnly).toBe(false);
});

test("the history shows the beginning of a long text, and all of it on demand", async () => {
  const field = { path: "termsText", isSecret: false, before: "", after: "We promise. ".repeat(3000) };
  const change = { id: 7, at: "2026-01-01T00:00:00.000Z", by: "Ada", section: "site", fields: [field] };
  const row = { ...change, reverts: null, canRevert: false, losesSecrets: [] };
  const page = await openSite(someSite(), {
    data: { changes: [row], pagination: { total: 1, limit: 10 } },
  });
  const shown = async () => (await page.findByRole("list", { name: historyTexts.title })).textContent.length;
  expect(await shown()).toBeLessThan(1000);
  await page.press(`${historyTexts.showAll} ${historyTexts.after}`);
  expect(await shown()).toBeGreaterThan(30_000);
});

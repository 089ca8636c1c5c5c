import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { installPlugin, notesBackend } from "./installed-plugin.ts";
import { openLive } from "./live.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

const name = "visitor-notes";
const frontend = `
const ask = async (label, work) => {
  try { return label + "=" + JSON.stringify(await work()); }
  catch (error) { return label + "!" + (error.status ?? "") + " " + error.message; }
};
export default {
  name: "visitor-notes", version: "1.0.0",
  async mount(root, api) {
    const say = (text) => Object.assign(root.appendChild(document.createElement("p")), { textContent: text });
    const press = (text, act) => {
      const button = root.appendChild(document.createElement("button"));
      button.textContent = text;
      button.addEventListener("click", act);
    };
    say("theme " + api.theme);
    say("path " + api.path);
    say("settings " + JSON.stringify(api.settings));
    say(await ask("whoami", async () => (await api.call("GET", "/whoami")).name));
    say(await ask("missing", () => api.call("GET", "/missing")));
    say(await ask("users", () => api.call("GET", "/../admin/users")));
    say(await ask("escaped", () => api.call("GET", "/..%2fadmin")));
    say(await ask("fetch", async () => (await fetch("/api/auth/user")).status));
    say(await ask("cookie", () => document.cookie));
    say(await ask("parent", () => parent.document.title));
    api.on("theme", (theme) => say("now " + theme));
    press("Tell", () => api.notify("Saved"));
    press("Reports", () => api.navigate("/reports"));
    press("Users", () => api.navigate("/../../users"));
    press("Grow", () => { root.appendChild(document.createElement("div")).style.height = "1500px"; });
  },
};`;
const manifest = {
  frontend: { entry: "frontend/index.js", mode: "iframe" },
  permissions: ["routes", "ui.page"],
  adminPanel: { enabled: true, menuItem: { title: "Notes", description: "Of visitors", icon: "Storage" } },
  settings: {
    schema: {
      type: "object",
      properties: {
        greeting: { type: "string", default: "Hello" },
        key: { type: "string", "x-secret": true },
      },
    },
  },
};

beforeAll(async () => {
  const { page, context } = await stage.open("admin");
  await openLive(page, `${stage.url}/admin/plugins`);
  await installPlugin(page, {
    ...{ name, manifest, backend: notesBackend(name) },
    files: { "frontend/index.js": frontend },
  });
  await context.close();
}, 90_000);

const openFrame = async (path: string, view = {}) => {
  const visit = await stage.open("admin", view);
  await openLive(visit.page, stage.url + path);
  const frame = visit.page.frameLocator(`iframe[title="Visitor notes"]`);
  await frame.getByText("whoami").waitFor();
  return { ...visit, frame };
};
const says = async (page: Page) => page.frameLocator("iframe").locator("p").allInnerTexts();

describe("P9: an untrusted plugin's page", () => {
  test("calls its own routes as the admin, and reaches nothing else", async () => {
    const { page } = await openFrame(`/admin/plugins/${name}`);
    await page.frameLocator("iframe").getByText("parent").waitFor();
    const said = await says(page);
    expect(said).toContain('whoami="Ada Lovelace"');
    expect(said).toContain("missing!404 There is no such note");
    expect(said).toContain("users!0 A plugin can only call its own routes");
    expect(said).toContain("escaped!0 A plugin can only call its own routes");
    expect(said.find((line) => line.startsWith("fetch"))).toStartWith("fetch!");
    expect(said.find((line) => line.startsWith("cookie"))).toStartWith("cookie!");
    expect(said.find((line) => line.startsWith("parent"))).toStartWith("parent!");
  });

  test("knows its settings without the secrets, the theme, and where the reader is", async () => {
    const { page, frame } = await openFrame(`/admin/plugins/${name}/reports/2026`);
    const said = await says(page);
    expect(said.slice(0, 3)).toEqual(["theme light", "path /reports/2026", 'settings {"greeting":"Hello"}']);
    await page
      .getByRole("button", { name: /dark|theme/i })
      .first()
      .click();
    await frame.getByText("now dark").waitFor();
  });

  test("tells notices under its title, leads to places below it alone, and is as high as it needs", async () => {
    const { page, frame } = await openFrame(`/admin/plugins/${name}`);
    await frame.getByText("parent").waitFor();
    await frame.getByRole("button", { name: "Tell" }).click();
    await page.getByText("Visitor notes: Saved").waitFor();
    await frame.getByRole("button", { name: "Grow" }).click();
    await page.waitForFunction(() => (document.querySelector("iframe")?.offsetHeight ?? 0) > 1_500);
    await frame.getByRole("button", { name: "Users" }).click();
    await frame.getByRole("button", { name: "Reports" }).click();
    await page.waitForURL(`**/admin/plugins/${name}/reports`);
    await page.frameLocator("iframe").getByText("path /reports").waitFor();
  });

  test("has a visible edge, and says outside the frame whose content it is", async () => {
    const { page } = await openFrame(`/admin/plugins/${name}`);
    const figure = page.getByRole("figure");
    expect(await figure.locator("figcaption").textContent()).toBe(
      "Content from the plugin Visitor notes (publisher not verified)",
    );
    const edge = await figure.evaluate((element) => {
      const { borderStyle, borderWidth, borderColor, backgroundColor } = getComputedStyle(element);
      return { borderStyle, borderWidth, isSeen: borderColor !== backgroundColor };
    });
    expect(edge).toEqual({ borderStyle: "solid", borderWidth: "2px", isSeen: true });
  });

  test("with Helmet off, stays on this site and cannot be led away", async () => {
    const { page } = await stage.open("admin");
    const setHelmet = (helmetEnabled: boolean) =>
      page.evaluate(
        (isOn) =>
          fetch("/api/auth/settings/core", {
            method: "PUT",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ security: { helmetEnabled: isOn } }),
          }).then(({ status }) => status),
        helmetEnabled,
      );
    await openLive(page, `${stage.url}/admin/plugins`);
    expect(await setHelmet(false)).toBe(200);
    const visit = await openFrame(`/admin/plugins/${name}`);
    const refused = visit.page.waitForEvent("console", (message) => message.text().includes("frame-src"));
    await visit.page.frames()[1]?.evaluate(() => window.location.assign("https://elsewhere.example/"));
    await refused;
    await visit.context.close();
    expect(await setHelmet(true)).toBe(200);
  });

  test("is linked from the menu, also after coming from a page of the site", async () => {
    const { page, complaints } = await stage.open("admin");
    await openLive(page, `${stage.url}/about`);
    await page.evaluate(() => {
      history.pushState(null, "", "/admin");
      dispatchEvent(new PopStateEvent("popstate"));
    });
    await page
      .getByRole("navigation", { name: "Admin", exact: true })
      .getByRole("link", { name: "Notes" })
      .click();
    await page.frameLocator("iframe").getByText('whoami="Ada Lovelace"').waitFor();
    // What the plugin was kept from is all that the browser complains of.
    expect(complaints.filter((complaint) => !complaint.includes("/api/auth/user"))).toEqual([]);
  });
});

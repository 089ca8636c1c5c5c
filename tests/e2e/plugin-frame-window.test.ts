import { beforeAll, describe, expect, test } from "bun:test";
import { generateKey } from "#api/plugin-host/package/keys.ts";
import { installPlugin, notesBackend } from "./installed-plugin.ts";
import { openLive } from "./live.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

const frontend = (name: string) => `
import { useState } from "react";
import { jsx } from "react/jsx-runtime";
import { createPortal } from "react-dom";
import { notify } from "@atrium/plugin-sdk";
import { Alert, formatCount } from "@atrium/plugin-sdk/ui";
const Page = ({ api }) => {
  const [presses, setPresses] = useState(0);
  const [who, setWho] = useState("nobody");
  if (presses === 3) throw new Error("three is too many");
  return jsx("div", { className: "boxed", children: [
    jsx("button", { key: "a", onClick: () => setPresses(presses + 1), children: "Pressed " + presses }),
    jsx("button", { key: "b", onClick: async () => setWho((await api.call("GET", "/whoami")).name), children: "Who" }),
    jsx("button", { key: "c", onClick: () => notify("From the host's own SDK"), children: "Tell" }),
    jsx(Alert, { key: "e", title: "Drawn by the host " + formatCount(1234), children: api.addressOf("/reports") }),
    jsx("p", { key: "d", children: "Called by " + who }),
    createPortal(jsx("p", { children: "Through a portal" }), document.body),
  ] });
};
const Overlay = () => jsx("p", { className: "fixed bottom-0", children: "Over every page" });
export default { name: ${JSON.stringify(name)}, version: "1.0.0", Page, Overlay,
  adminPanel: { enabled: true, menuItem: { title: "Window notes" } } };`;
const manifest = {
  frontend: { entry: "frontend/index.js", css: "frontend/index.css", mode: "native", overlay: true },
  permissions: ["routes", "ui.page", "ui.overlay", "ui.native"],
  adminPanel: { enabled: true, card: { title: "Notes at a glance", buttonText: "Look" } },
};
const name = "window-notes";

beforeAll(async () => {
  const { page, context } = await stage.open("admin");
  await openLive(page, `${stage.url}/admin/plugins`);
  const { publicKey, privateKey } = generateKey();
  await page.evaluate(async (key) => {
    await fetch("/api/admin/plugin-keys", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ publicKey: key, label: "Tests" }),
    });
  }, publicKey);
  const css = ".boxed { border: 3px solid red } main { display: none }";
  const files = { "frontend/index.js": frontend(name), "frontend/index.css": css };
  await installPlugin(page, { name, privateKey, manifest, backend: notesBackend(name), files });
  await installPlugin(page, {
    ...{ name: "nameless", privateKey, manifest, backend: notesBackend("nameless") },
    files: { "frontend/index.js": "export default { Page: () => null };", "frontend/index.css": "" },
  });
  await context.close();
}, 90_000);

describe("a plugin's page that is trusted with the host's window", () => {
  test("shares the host's React and components, calls its routes, and styles nothing but itself", async () => {
    const { page } = await stage.open("admin");
    await openLive(page, `${stage.url}/admin/plugins/${name}`);
    await page.getByRole("button", { name: "Pressed 0" }).click();
    await page.getByRole("button", { name: "Pressed 1" }).waitFor();
    await page.getByRole("button", { name: "Who" }).click();
    await page.getByText("Called by Ada Lovelace").waitFor();
    await page.getByText("Through a portal").waitFor();
    const alert = page.getByRole("status").filter({ hasText: "Drawn by the host 1,234" });
    expect(await alert.textContent()).toContain(`/admin/plugins/${name}/reports`);
    await page.getByRole("button", { name: "Tell" }).click();
    await page.getByText("From the host's own SDK").waitFor();
    await page.waitForFunction(
      () => getComputedStyle(document.querySelector(".boxed") ?? document.body).borderTopWidth === "3px",
    );
    expect(await page.locator("main").isVisible()).toBe(true);
  });

  test("comes with its page alone, unless it wants to be over every page", async () => {
    const { page } = await stage.open("admin");
    const asked: string[] = [];
    const script = /\/api\/plugins\/licensing\/assets\/.*\/frontend\/index\.js$/;
    page.on("request", (request) => script.test(request.url()) && asked.push(request.url()));
    await openLive(page, `${stage.url}/admin`);
    await page.getByText("Over every page").waitFor();
    expect(asked).toEqual([]);
    await openLive(page, `${stage.url}/admin/plugins/licensing`);
    await page.locator("[data-plugin=licensing]").waitFor();
    expect(asked).toHaveLength(1);
  });

  test("that throws leaves the rest of the page as it is, and can be loaded again", async () => {
    const { page } = await stage.open("admin");
    await openLive(page, `${stage.url}/admin/plugins/${name}`);
    for (const presses of [0, 1, 2]) await page.getByRole("button", { name: `Pressed ${presses}` }).click();
    await page.getByText("The page of Visitor notes could not be loaded").waitFor();
    expect(await page.getByRole("heading", { name: "Visitor notes" }).isVisible()).toBe(true);
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("button", { name: "Pressed 0" }).waitFor();
  });

  test("whose module has no name and version is passed over, and says so on its page", async () => {
    const { page } = await stage.open("admin");
    const warnings: string[] = [];
    page.on("console", (message) => message.type() === "warning" && warnings.push(message.text()));
    await openLive(page, `${stage.url}/admin/plugins/nameless`);
    await page
      .getByText("Its frontend needs a default export with the manifest's name and version.")
      .waitFor();
    expect(warnings).toContain(
      "the plugin nameless was skipped: its module needs a default export with name and version",
    );
  });
});

describe("what a plugin adds to the admin area", () => {
  test("is its line in the menus, its card, and what it lays over every page", async () => {
    const { page, complaints } = await stage.open("admin");
    await openLive(page, `${stage.url}/admin`);
    const menu = page.getByRole("region", { name: "Admin Menu" });
    await menu.getByRole("link", { name: "Window notes" }).waitFor();
    await menu.getByRole("link", { name: "Plugin Management" }).waitFor();
    await page
      .getByRole("navigation", { name: "Admin", exact: true })
      .getByRole("link", { name: "Window notes" })
      .waitFor();
    await page.getByText("Over every page").waitFor();
    await page.getByText("Installed", { exact: true }).waitFor();
    expect(complaints.filter((complaint) => !complaint.includes("nameless"))).toEqual([]);
  });

  test("goes when the plugin is switched off, and its page says so", async () => {
    const { page } = await stage.open("admin");
    await openLive(page, `${stage.url}/admin/plugins/${name}?tab=overview`);
    const line = page
      .getByRole("navigation", { name: "Admin", exact: true })
      .getByRole("link", { name: "Window notes" });
    await line.waitFor();
    await page.getByRole("switch", { name: "Enable Visitor notes" }).click();
    await line.waitFor({ state: "detached" });
    await page.getByText("Over every page").waitFor({ state: "detached" });
    await openLive(page, `${stage.url}/admin/plugins/${name}/anything`);
    await page.getByText(`The plugin ${name} is not available`).waitFor();
    await openLive(page, `${stage.url}/admin/plugins/${name}?tab=overview`);
    await page.getByRole("switch", { name: "Enable Visitor notes" }).click();
    await line.waitFor();
  });
});

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { makeIssuer, type TestIssuer } from "#plugins/licensing/testing/make-issuer.ts";
import { runCommand } from "../driver/run-command.ts";
import { removeFolder, temporaryFolder } from "../driver/start-server.ts";
import { axeFindings, colourRules } from "./axe-findings.ts";
import { installPlugin } from "./installed-plugin.ts";
import { comesTo, openLive, settle } from "./live.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
let issuer: TestIssuer;

beforeAll(async () => {
  [stage, issuer] = await Promise.all([openStage(), makeIssuer()]);
  // The issuer that is built in signs for nobody here.
  await atrium(["plugin", "settings", "set", "licensing", "issuerKey", issuer.publicKey]);
}, 90_000);

afterAll(() => stage.close());

const atrium = (words: string[], input = "") =>
  runCommand(words, { env: { DATA_DIR: stage.dataDir }, input });

const openPage = async (view = {}) => {
  const visit = await stage.open("admin", view);
  await openLive(visit.page, `${stage.url}/admin/plugins/licensing`);
  await visit.page.getByRole("heading", { name: "License", exact: true }).waitFor();
  return visit;
};

const enter = async (page: Page, key: string): Promise<void> => {
  await page.getByLabel("License key").fill(key);
  await page.getByRole("button", { name: "Verify and save" }).click();
};

/** What the footer says to somebody who is not signed in and has not been here before. */
const footerLine = async (text: string): Promise<void> => {
  const { page, context, complaints } = await stage.open("visitor");
  await openLive(page, `${stage.url}/about`);
  await page.getByRole("contentinfo").getByText(text, { exact: true }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
};

describe("the license", () => {
  test("is the Community license at first, which the footer shows to visitors", async () => {
    await footerLine("Community license");
    const { page, context, complaints } = await openPage();
    await page.getByText("This installation uses the Community license.").waitFor();
    await page.getByRole("button", { name: "Remove license" }).waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("stays as it is when a key is refused: the field says why, and keeps what was typed", async () => {
    const { page, context } = await openPage();
    await enter(page, "");
    await page.getByText("Please paste a license key").waitFor();
    const foreign = await (await makeIssuer()).issue();
    await enter(page, foreign);
    await page.getByText("The signature of this key is not valid").waitFor();
    const field = page.getByLabel("License key");
    expect(await field.inputValue()).toBe(foreign);
    await field.and(page.locator(":focus")).waitFor();
    expect((await atrium(["license", "show"])).stdout).toContain("state\tcommunity");
    await context.close();
  });

  test("is entered on the page, shown there and in the footer for everyone, and removed after a confirmation", async () => {
    const { page, context, complaints } = await openPage();
    await enter(page, (await issuer.issue()).replace(/(.{60})/g, "$1\n"));
    await page.getByText("Active", { exact: true }).waitFor();
    await page.getByText("This license is valid through November 30, 2027.").waitFor();
    await page.getByText("Licensed to Northwind Ltd (Business)").waitFor();
    const heading = page.getByRole("heading", { name: "License", exact: true });
    await heading.and(page.locator(":focus")).waitFor();
    await comesTo(() => page.getByLabel("License key").inputValue(), "");
    await footerLine("Licensed to Northwind Ltd");

    await page.getByRole("button", { name: "Remove license" }).click();
    const dialog = page.getByRole("dialog", { name: "Remove the license?" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Remove license" }).click();
    await dialog.getByRole("button", { name: "Remove license" }).click();
    await page.getByText("This installation uses the Community license.").waitFor();
    await footerLine("Community license");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("fits a page of 320 and of 1280 px in either theme, with nothing for axe to find", async () => {
    expect((await atrium(["license", "set"], await issuer.issue())).exitCode).toBe(0);
    const { page, context } = await openPage();
    for (const width of [1280, 320])
      for (const colorScheme of ["light", "dark"] as const) {
        const view = { width, colorScheme };
        await page.setViewportSize({ width, height: 844 });
        await page.emulateMedia({ colorScheme });
        await page.locator(colorScheme === "dark" ? "html.dark" : "html:not(.dark)").waitFor();
        await settle(page);
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        const look = colorScheme === "dark" ? { rules: colourRules } : {};
        const findings = await axeFindings(page, look);
        expect({ ...view, beyond, findings }).toEqual({ ...view, beyond: 0, findings: [] });
      }
    expect((await atrium(["license", "remove", "--yes"])).exitCode).toBe(0);
    await context.close();
  });
});

describe("atrium license", () => {
  test("enters, shows and removes the license of the running server", async () => {
    const key = await issuer.issue({ owner: "Contoso", expiresAt: null });
    const entered = await atrium(["license", "set"], `${key}\n`);
    expect(entered).toMatchObject({ exitCode: 0, stdout: "Licensed to Contoso (Business)\n" });
    const shown = await atrium(["license", "show", "--json"]);
    expect(JSON.parse(shown.stdout)).toMatchObject({ state: "active", owner: "Contoso", daysLeft: null });
    expect(shown.stdout).not.toContain(key.split(".")[2] ?? key);
    expect((await atrium(["license", "remove"])).exitCode).toBe(2);
    expect((await atrium(["license", "remove", "--yes"])).exitCode).toBe(0);
    expect((await atrium(["license", "remove", "--yes"])).exitCode).toBe(1);
    const refused = await atrium(["license", "set", "--json"], "nonsense");
    expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
    expect(JSON.parse(refused.stderr)).toMatchObject({ code: "VALIDATION_FAILED" });
  });

  test("works where no server runs, on the installation itself", async () => {
    const dataDir = temporaryFolder();
    const offline = (words: string[], input = "") =>
      runCommand(words, { env: { DATA_DIR: dataDir, PORT: "0" }, input });
    expect((await offline(["license", "show"])).exitCode).toBe(3);
    expect((await offline(["migrate"])).exitCode).toBe(0);
    expect((await offline(["license", "show"])).stdout).toStartWith("state\tcommunity\n");
    await offline(["plugin", "settings", "set", "licensing", "issuerKey", issuer.publicKey]);
    const entered = await offline(["license", "set"], await issuer.issue());
    expect(entered).toMatchObject({ exitCode: 0, stdout: "Licensed to Northwind Ltd (Business)\n" });
    expect((await offline(["license", "show"])).stdout).toContain("owner\tNorthwind Ltd\n");
    await offline(["plugin", "disable", "licensing"]);
    const off = await offline(["license", "show"]);
    expect(off.exitCode).toBe(1);
    expect(off.stderr).toContain("atrium plugin enable licensing");
    removeFolder(dataDir);
  });

  test("P4: the plugin is not switched off on the screen, in the terminal with all that needs it, and then says how to bring it back", async () => {
    const { page, context } = await stage.open("admin");
    await openLive(page, `${stage.url}/admin/plugins`);
    await installPlugin(page, {
      ...{ name: "visitor-notes", manifest: { title: "Visitor notes", dependsOn: ["licensing"] } },
      backend: `export default { name: "visitor-notes", version: "1.0.0", setup() {} };`,
    });
    const listed: { name: string; dependsOn: string[] }[] = JSON.parse(
      (await atrium(["plugin", "list", "--json"])).stdout,
    );
    const needing = listed.filter(({ dependsOn }) => dependsOn.includes("licensing"));
    const names = needing.map(({ name }) => name);
    expect(names).toContain("visitor-notes");
    for (const name of names) expect((await atrium(["plugin", "enable", name, "--yes"])).exitCode).toBe(0);
    await page.reload();
    const lock = page.getByRole("switch", { name: /Licensing/ });
    await lock.click({ force: true });
    await comesTo(
      async () => [await lock.getAttribute("aria-disabled"), await lock.isChecked()],
      ["true", true],
    );
    const disabled = await atrium(["plugin", "disable", "licensing", "--yes"]);
    expect(disabled.exitCode).toBe(0);
    expect(disabled).toMatchObject({
      stdout: "Licensing: disabled\n",
      stderr: `Also disabled: ${names.join(", ")}\n`,
    });
    const off = await atrium(["license", "show"]);
    expect(off.exitCode).toBe(1);
    expect(off.stderr).toContain("atrium plugin enable licensing");
    const { page: visitor, context: own } = await stage.open("visitor");
    await openLive(visitor, `${stage.url}/about`);
    await visitor.waitForLoadState("networkidle");
    expect(await visitor.getByText("Community license").count()).toBe(0);
    expect((await atrium(["plugin", "enable", "licensing"])).exitCode).toBe(0);
    await footerLine("Community license");
    await Promise.all([context.close(), own.close()]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { settingsTexts } from "#contract/settings-texts.ts";
import { pressAt, tabTo, typeAt } from "./keyboard.ts";
import { button, field, notice, openSettingsStage, type SettingsStage, section } from "./settings-stage.ts";

let settings: SettingsStage;

beforeAll(async () => {
  settings = await openSettingsStage();
}, 90_000);

afterAll(() => settings.stage.close());

const account = "https://0123456789abcdef0123456789abcdef.r2.cloudflarestorage.com";

describe("the settings' form", () => {
  test("has a place in the menu, and every section in its order", async () => {
    const { page, context, complaints } = await settings.openSettings();
    const menu = page.getByRole("navigation", { name: "Admin", exact: true });
    expect(await menu.getByRole("link", { name: "Settings" }).getAttribute("aria-current")).toBe("page");
    expect(await page.locator("main h2").allTextContents()).toEqual([
      "Redis Configuration",
      "Object Storage (R2)",
      "Firewall",
      "Core Rate Limiting",
      "Core Security Settings",
      "Mail",
      "History",
    ]);
    expect(await field(page, "Window").locator("option").allTextContents()).toEqual([
      "1 minute",
      "5 minutes",
      "10 minutes",
      "15 minutes",
      "30 minutes",
      "1 hour",
    ]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("says beside the limit whom it meets", async () => {
    const { page, context } = await settings.openSettings();
    const hint = await field(page, "Max Requests").getAttribute("aria-describedby");
    expect(await page.locator(`[id="${hint}"]`).textContent()).toContain(
      "People behind one address share it",
    );
    await context.close();
  });

  test("saves both parts, shows what is saved after a reload, and sends only what was changed", async () => {
    const { page, context } = await settings.openSettings();
    const sent: unknown[] = [];
    page.on("request", (request) => request.method() === "PUT" && sent.push(request.postDataJSON()));
    await field(page, "Bucket Name").fill("packages");
    await field(page, "Max Requests").fill("250");
    await field(page, "Window").selectOption("5 minutes");
    await page.getByRole("switch", { name: "CORS" }).click();
    await page.getByText("4 fields changed").waitFor();
    await button(page, "Save").click();
    await notice(page, settingsTexts.allSaved);
    await page.getByText("No unsaved changes").waitFor();
    expect(sent).toEqual([
      { cloudflareR2: { bucket: "packages" } },
      { rateLimiting: { windowMs: 300_000, maxRequests: 250 }, security: { corsEnabled: false } },
    ]);
    await page.reload();
    await field(page, "Bucket Name").waitFor();
    expect(await field(page, "Bucket Name").inputValue()).toBe("packages");
    expect(await field(page, "Max Requests").inputValue()).toBe("250");
    expect(await field(page, "Window").inputValue()).toBe("300000");
    expect(await page.getByRole("switch", { name: "CORS" }).getAttribute("aria-checked")).toBe("false");
    await context.close();
  });

  test("saves nothing and claims nothing while nothing is changed", async () => {
    const { page, context } = await settings.openSettings();
    const sent: string[] = [];
    page.on("request", (request) => request.method() === "PUT" && sent.push(request.url()));
    expect(await button(page, "Save").isDisabled()).toBe(true);
    await context.setOffline(true);
    await button(page, "Save").click({ force: true });
    await field(page, "Bucket Name").press("Enter");
    await page.keyboard.press("ControlOrMeta+s");
    await notice(page, "Nothing to save");
    expect(await page.getByText(settingsTexts.allSaved).count()).toBe(0);
    expect(await page.getByText("Nothing to save").count()).toBe(1);
    expect(sent).toEqual([]);
    await context.close();
  });

  test("names the variable that lists other servers for objects, and those that it lists", async () => {
    const { page, context } = await settings.openSettings();
    await page.getByText(/must be listed in S3_ENDPOINTS/).waitFor();
    await context.close();
    const other = await settings.openSettings({
      prepare: (page) =>
        page.route("**/api/auth/settings/credentials", async (route) => {
          const response = await route.fetch();
          const answer = await response.json();
          answer.data.cloudflareR2.otherEndpoints = ["https://minio.example:9000"];
          await route.fulfill({ response, json: answer });
        }),
    });
    await other.page.getByText(/S3_ENDPOINTS lists: https:\/\/minio\.example:9000$/).waitFor();
    await other.context.close();
  });

  test("saves nothing while a field has an error, says so, and goes to the first one", async () => {
    const { page, context } = await settings.openSettings();
    const sent: string[] = [];
    page.on("request", (request) => request.method() === "PUT" && sent.push(request.url()));
    await field(page, "Redis URL").fill("http://redis.example");
    await page.getByText(settingsTexts.redisEndpointInvalid).waitFor();
    await field(page, "Max Requests").fill("5");
    await button(page, "Fix Errors to Save").click();
    await page.getByText(settingsTexts.fixBeforeSaving).waitFor();
    expect(await field(page, "Redis URL").evaluate((control) => control === document.activeElement)).toBe(
      true,
    );
    expect(sent).toEqual([]);
    await button(page, "Discard changes").click();
    await button(page, "Save").waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Discard changes");
    expect(await field(page, "Redis URL").inputValue()).toBe("");
    expect(await page.getByText(settingsTexts.fixBeforeSaving).count()).toBe(0);
    await context.close();
  });

  test("puts the server's complaint beside its field, keeps what was typed, and says which part failed", async () => {
    const { page, context } = await settings.openSettings();
    await field(page, "Redis URL").fill("redis://169.254.169.254:6379");
    await field(page, "Message").fill("Please slow down.");
    await button(page, "Save").click();
    await page.getByText(settingsTexts.addressRefused).waitFor();
    await notice(page, settingsTexts.coreSaved);
    await page.getByText(settingsTexts.servicesNotSaved, { exact: true }).waitFor();
    await button(page, "Fix Errors to Save").waitFor();
    expect(await field(page, "Redis URL").inputValue()).toBe("redis://169.254.169.254:6379");
    expect(await field(page, "Redis URL").evaluate((control) => control === document.activeElement)).toBe(
      true,
    );
    await page.getByText("1 field changed · 1 field to fix").waitFor();
    await field(page, "Redis URL").fill("");
    await page.getByText("No unsaved changes").waitFor();
    await context.close();
  });

  test("keeps everything typed when no answer comes, and saves it once the server is back", async () => {
    const { page, context } = await settings.openSettings();
    await page.route("**/api/auth/settings/core", (route) =>
      route.request().method() === "PUT" ? route.abort() : route.continue(),
    );
    await field(page, "Max Requests").fill("300");
    await button(page, "Save").click();
    await page.getByText(/^Error saving core settings: /).waitFor();
    expect(await field(page, "Max Requests").inputValue()).toBe("300");
    await page.unroute("**/api/auth/settings/core");
    await button(page, "Save").click();
    await notice(page, settingsTexts.allSaved);
    expect(await page.getByText(/^Error saving core settings: /).count()).toBe(0);
    await context.close();
  });

  test("says which settings could not be loaded, and loads them when asked again", async () => {
    const { page, context } = await settings.stage.open("admin");
    await page.route("**/api/auth/settings/core", (route) =>
      route.fulfill({ status: 503, json: { success: false, code: "DB_UNAVAILABLE", message: "Away" } }),
    );
    await page.goto(`${settings.stage.url}/admin/settings`);
    await page.getByText(settingsTexts.coreNotLoaded).waitFor();
    await page.unroute("**/api/auth/settings/core");
    await button(page, "Try again").click();
    await field(page, "Redis URL").waitFor();
    await context.close();
  });
});

describe("a saved secret", () => {
  test("is never shown, stays while its field is empty, and goes when it is removed", async () => {
    const { page, context } = await settings.openSettings();
    await field(page, "Redis URL").fill("redis://127.0.0.1:6399");
    await field(page, "Redis Password").fill("quite-a-secret");
    await button(page, "Show Redis Password").click();
    expect(await field(page, "Redis Password").getAttribute("type")).toBe("text");
    await button(page, "Save").click();
    await notice(page, settingsTexts.allSaved);
    expect(await field(page, "Redis Password").inputValue()).toBe("");
    expect(await field(page, "Redis Password").getAttribute("placeholder")).toBe("Saved; empty keeps it");
    expect(await page.content()).not.toContain("quite-a-secret");

    await field(page, "Redis URL").fill("redis://127.0.0.1:6399/2");
    await button(page, "Save").click();
    await page.getByText("No unsaved changes").waitFor();
    await button(page, "Remove Redis Password").waitFor();

    await button(page, "Remove Redis Password").click();
    await page.getByText("1 field changed").waitFor();
    expect(await field(page, "Redis Password").isDisabled()).toBe(true);
    await button(page, "Keep Redis Password").click();
    await page.getByText("No unsaved changes").waitFor();
    await button(page, "Remove Redis Password").click();
    await button(page, "Save").click();
    await page.getByText("No unsaved changes").waitFor();
    expect(await button(page, "Remove Redis Password").count()).toBe(0);
    expect(await field(page, "Redis Password").isDisabled()).toBe(false);
    await context.close();
  });

  test("must be entered again as soon as its endpoint names another server, before anything is sent", async () => {
    await settings.put("credentials", {
      cloudflareR2: {
        endpointS3: account,
        accessKeyId: "an-access-key-id-1",
        secretAccessKey: "a-secret-key-of-length",
      },
    });
    const { page, context } = await settings.openSettings();
    const placeholder = () => field(page, "Access Key ID").getAttribute("placeholder");
    expect(await placeholder()).toBe("Saved; empty keeps it");
    await field(page, "S3 Endpoint").fill(account.replace("01234", "98765"));
    expect(await placeholder()).toBeNull();
    expect(await section(page, "Object Storage (R2)").getByText(settingsTexts.enterAgain).count()).toBe(2);
    expect(await button(page, "Test R2 Connection").isDisabled()).toBe(true);
    await button(page, "Fix Errors to Save").waitFor();
    await field(page, "Access Key ID").fill("another-access-key");
    await field(page, "Secret Access Key").fill("another-secret-key");
    await button(page, "Save").waitFor();
    await context.close();
  });
});

describe("a saved secret's placeholder", () => {
  test("has room enough at 320 px", async () => {
    await settings.put("credentials", { redis: { endpoint: "redis://127.0.0.1:6399", password: "p" } });
    const { page, context } = await settings.openSettings({ view: { width: 320 } });
    const room = await field(page, "Redis Password").evaluate((control) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(control);
      const pen = document.createElement("canvas").getContext("2d");
      if (pen === null) throw new Error("there is nothing to measure with");
      pen.font = font;
      const text = control.getAttribute("placeholder") ?? "";
      const within = control.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      return within - pen.measureText(text).width;
    });
    expect(room).toBeGreaterThanOrEqual(0);
    await context.close();
  });
});

describe("the keyboard", () => {
  test("alone fills, mends and saves the form", async () => {
    const { page, context } = await settings.openSettings();
    await typeAt(page, "Max Requests", "7");
    await page.keyboard.press("Enter");
    await page.getByText(settingsTexts.fixBeforeSaving).waitFor();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("400");
    await tabTo(page, "Skip Plugin Routes");
    await page.keyboard.press("Space");
    await page.keyboard.press("ControlOrMeta+s");
    await notice(page, settingsTexts.allSaved);
    await typeAt(page, "Max Requests", "401");
    await pressAt(page, "Save");
    await page.getByText("No unsaved changes").waitFor();
    expect(await field(page, "Max Requests").inputValue()).toBe("401");
    await context.close();
  });
});

import { describe, expect, test } from "bun:test";
import type { ShownSettings } from "#api/modules/plugins/contract.ts";
import type { PluginDetails } from "#contract/plugins.ts";
import { heldAnswer, type OpenPage, openPages, refusal } from "#ui/testing/pages.ts";
import { fieldsTexts } from "../../settings/texts.ts";
import { logTexts, settingsTabTexts } from "./texts.ts";

const open = openPages();

const notes: Partial<PluginDetails> = {
  ...{ name: "notes", title: "Notes", description: "", version: "1.0.0", type: "Other", enabled: true },
  ...{ core: false, dependsOn: [], backendExists: true, frontendExists: false, tier: "verified" },
  ...{ signature: { state: "unsigned", keyId: null, publisher: null, signedAt: null } },
  ...{ state: "running", error: null, pendingVersion: null, pendingPermissions: [], publisherChanged: null },
  ...{ adminPanel: null, frontend: null, commandWord: null, hasSettings: true },
  ...{ dependents: [], retained: [], versions: [], refused: [] },
};

const openTab = async (tab: string, answers: Record<string, object>): Promise<OpenPage> => {
  const page = await open(`/admin/plugins/notes?tab=${tab}`, {
    as: "admin",
    answers: { "GET /api/plugins/notes": { data: notes }, ...answers },
  });
  // On a busy machine, compiling a tab would take longer than a test waits for what it expects.
  await Promise.all([import("./settings/plugin-settings-form.tsx"), import("./log-tab.tsx")]);
  return page;
};

describe("of a plugin's settings", () => {
  const route = "/api/plugins/notes/settings";
  const shown = (isStored: boolean): ShownSettings => ({
    schema: {
      type: "object",
      properties: {
        apiKey: { type: "string", title: "API key", "x-secret": true, "x-placeholder": "key-..." },
        isLoud: { type: "boolean", title: "Loud" },
        isKind: { type: "boolean", title: "Kind", description: "Says please." },
      },
    },
    values: { apiKey: "", isLoud: false, isKind: false },
    secrets: { apiKey: isStored },
  });

  test.each([
    ["says how it looks while none is stored", false, "key-..."],
    ["says that it is kept where one is stored", true, fieldsTexts.secretSaved],
  ])("an empty secret %s", async (_, isStored, placeholder) => {
    const page = await openTab("settings", { [`GET ${route}`]: { data: shown(isStored) } });
    const field = await page.findByLabelText("API key");
    expect(field.getAttribute("placeholder")).toBe(placeholder);
  });

  test("a switch is described by its hint and its error, and by nothing where it has neither", async () => {
    const page = await openTab("settings", { [`GET ${route}`]: { data: shown(false) } });
    const descriptions = (name: string) =>
      page.getByRole("switch", { name }).getAttribute("aria-describedby");
    const said = (name: string) =>
      descriptions(name)
        ?.split(" ")
        .map((id) => document.getElementById(id)?.textContent);
    await page.findByRole("switch", { name: "Loud" });
    expect([descriptions("Loud"), said("Kind")]).toEqual([null, ["Says please."]]);
    const errors = ["isLoud", "isKind"].map((path) => ({ path, message: "It is night." }));
    page.answer({ [`PUT ${route}`]: refusal("VALIDATION_FAILED", "Please check", { errors }) });
    await page.click(page.getByRole("switch", { name: "Loud" }));
    await page.press(settingsTabTexts.save);
    await page.until(() =>
      expect([said("Loud"), said("Kind")]).toEqual([["It is night."], ["It is night.", "Says please."]]),
    );
  });
});

describe("a plugin's log", () => {
  const route = "GET /api/plugins/notes/logs";
  const logged = (id: number, message: string) => ({
    id,
    at: "2026-11-01T00:00:00.000Z",
    level: "info",
    message,
  });
  const told = (...lines: object[]) => ({ data: { replica: "one", lines } });

  test("is shown however slow the connection is, and asked for again only once the last answer came", async () => {
    const { answer, release } = heldAnswer(told(logged(1, "Started")));
    const page = await openTab("log", { [route]: answer });
    await page.until(() => expect(page.calls(route)).toHaveLength(1));
    await page.passTime(6_000);
    expect(page.calls(route)).toHaveLength(1);
    release();
    await page.shows(/Started/);
    page.answer({ [route]: told(logged(2, "Greeted")) });
    await page.passTime(2_000);
    await page.shows(/Greeted/);
    expect([page.has(/Started/), page.calls(route).map(({ query }) => query)]).toEqual([
      true,
      ["after=0", "after=1"],
    ]);
  });

  test("is asked for again after it could not be loaded", async () => {
    const page = await openTab("log", { [route]: refusal("BUSY") });
    await page.shows(logTexts.failed);
    page.answer({ [route]: told(logged(1, "Started")) });
    await page.passTime(2_000);
    await page.shows(/Started/);
  });
});

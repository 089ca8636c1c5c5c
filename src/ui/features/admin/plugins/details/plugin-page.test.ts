import { describe, expect, test } from "bun:test";
import type { ShownSettings } from "#api/modules/plugins/contract.ts";
import type { PluginDetails } from "#contract/plugins.ts";
import { heldAnswer, type OpenPage, openPages, refusal } from "#ui/testing/pages.ts";
import { fieldsTexts } from "../../settings/texts.ts";
import { logTexts } from "./texts.ts";

const open = openPages();

const notes: Partial<PluginDetails> = {
  ...{ name: "notes", title: "Notes", description: "", version: "1.0.0", type: "Other", enabled: true },
  ...{ core: false, dependsOn: [], backendExists: true, frontendExists: false, tier: "verified" },
  ...{ signature: { state: "unsigned", keyId: null, publisher: null, signedAt: null } },
  ...{ state: "running", error: null, pendingVersion: null, pendingPermissions: [], publisherChanged: null },
  ...{ adminPanel: null, frontend: null, commandWord: null, hasSettings: true },
  ...{ dependents: [], retained: [], versions: [], refused: [] },
};

const openTab = (tab: string, answers: Record<string, object>): Promise<OpenPage> =>
  open(`/admin/plugins/notes?tab=${tab}`, {
    as: "admin",
    answers: { "GET /api/plugins/notes": { data: notes }, ...answers },
  });

describe("of a plugin's settings", () => {
  const route = "/api/plugins/notes/settings";
  const shown = (isStored: boolean): ShownSettings => ({
    schema: {
      type: "object",
      properties: {
        apiKey: { type: "string", title: "API key", "x-secret": true, "x-placeholder": "key-..." },
      },
    },
    values: { apiKey: "" },
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

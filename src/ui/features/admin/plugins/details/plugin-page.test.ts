import { describe, expect, test } from "bun:test";
import type { ShownSettings } from "#api/modules/plugins/contract.ts";
import type { PluginDetails } from "#contract/plugins.ts";
import { type OpenPage, openPages } from "#ui/testing/pages.ts";
import { fieldsTexts } from "../../settings/texts.ts";

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

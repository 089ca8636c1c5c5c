import { describe, expect, test } from "bun:test";
import { permissionTexts } from "#contract/permission-texts.ts";
import type { Permission, Plugin, PluginDetails } from "#contract/plugins.ts";
import { openPages } from "#ui/testing/pages.ts";
import { deleteTexts } from "../delete-plugin-dialog.tsx";
import { dataTexts, versionsTabTexts } from "../details/texts.ts";
import { pluginListTexts } from "../plugin-status.ts";
import { consentTexts as texts } from "./permission-list.tsx";

const open = openPages();

const version = "2.0.0";
const sha256 = "ab".repeat(32);
const signature = { state: "unsigned", keyId: null, publisher: null, signedAt: null } as const;
const notes: Plugin = {
  ...{ name: "notes", title: "Notes", description: "", version: "1.0.0", type: "Other", enabled: true },
  ...{ core: false, dependsOn: [], backendExists: true, frontendExists: false, tier: "verified" },
  ...{ signature, state: "running", error: null, pendingVersion: version },
  ...{ adminPanel: null, frontend: null, commandWord: null },
};
const routes: Permission = { name: "routes" };
const replacing = "POST /api/plugins/notes/replace-publisher";

const detailsOf = (pendingPermissions: Permission[]): Partial<PluginDetails> => {
  const change = { from: "ab", to: "unsigned", fromName: "Ada", toName: "no publisher (unsigned)" };
  const about = { sizeBytes: 1, sha256, signature, uploadedAt: "2026-11-01T00:00:00.000Z", uploadedBy: null };
  return {
    ...notes,
    ...{ pendingPermissions, publisherChanged: change, dependents: [], retained: [] },
    versions: [{ ...about, version, publisherChanged: change, permissions: [routes], isCurrent: false }],
  };
};

/** Another publisher's version that waits, as it is reviewed. */
const review = async (pendingPermissions: Permission[]) => {
  const page = await open("/admin/plugins", {
    as: "admin",
    answers: {
      "GET /api/plugins": { data: [notes] },
      "GET /api/plugins/notes": { data: detailsOf(pendingPermissions) },
    },
  });
  await page.press(pluginListTexts.review(notes.title, version));
  await page.shows(texts.replaceTitle(notes.title));
  return page;
};

describe("another publisher's version", () => {
  test("is shown with what it would be granted, and put in place only as the package that was shown", async () => {
    const page = await review([routes]);
    await page.shows(texts.replaceLead(version));
    await page.shows(permissionTexts.routes.title);
    page.answer({ [replacing]: { message: "Done", data: notes } });
    await page.press(texts.replaceAction);
    await page.until(() =>
      expect(page.calls(replacing).map(({ body }) => body)).toEqual([{ version, consent: true, sha256 }]),
    );
  });

  test("that asks for nothing beyond what was kept of its own is not said to ask for nothing new", async () => {
    const page = await review([]);
    await page.shows(texts.replaceNothing(version));
    expect(page.has(texts.updateNothing(version))).toBe(false);
  });

  test("that is kept and doesn't wait is put in place from the list of versions", async () => {
    const page = await open("/admin/plugins/notes?tab=versions", {
      as: "admin",
      answers: {
        "GET /api/plugins": { data: [notes] },
        "GET /api/plugins/notes": {
          data: { ...detailsOf([]), pendingVersion: null, publisherChanged: null, frontend: null },
        },
      },
    });
    await page.press(versionsTabTexts.replaceName(version));
    await page.shows(texts.replaceLead(version));
    await page.shows(permissionTexts.routes.title);
    page.answer({ [replacing]: { message: "Done", data: notes } });
    await page.press(texts.replaceAction);
    await page.until(() =>
      expect(page.calls(replacing).map(({ body }) => body)).toEqual([{ version, consent: true, sha256 }]),
    );
  });
});

test("the data of a former publisher is listed, and deleted once the plugin's name is typed", async () => {
  const deleting = "DELETE /api/plugins/notes/retained/unsigned";
  const counts = {
    keys: 7,
    files: 0,
    fileBytes: 0,
    secrets: 1,
    settings: 0,
    usedBytes: 70,
    quotaBytes: 1000,
  };
  const page = await open("/admin/plugins/notes?tab=data", {
    as: "admin",
    answers: {
      "GET /api/plugins": { data: [notes] },
      "GET /api/plugins/notes": {
        data: {
          ...detailsOf([]),
          data: { ...counts, keys: 1 },
          retained: [
            {
              ...{ publisher: "unsigned", publisherName: "no publisher (unsigned)", version: "0.9.0" },
              ...{ retainedAt: "2026-11-01T00:00:00.000Z", data: counts },
            },
          ],
        },
      },
    },
  });
  await page.shows(dataTexts.retained);
  await page.shows("7 entries, 1 secret");
  await page.press(dataTexts.deleteRetainedOf("no publisher (unsigned)"));
  await page.shows(dataTexts.deleteRetainedTitle("no publisher (unsigned)"));
  await page.press(dataTexts.deleteRetained);
  await page.shows(deleteTexts.mismatch);
  expect(page.calls(deleting)).toEqual([]);
  page.answer({ [deleting]: { message: "Deleted" } });
  await page.fill(deleteTexts.type, "notes");
  await page.press(dataTexts.deleteRetained);
  await page.until(() => expect(page.calls(deleting)).toHaveLength(1));
});

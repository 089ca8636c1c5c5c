import { describe, expect, test } from "bun:test";
import { notice, openPlugins, refusal, withChange } from "./plugins-stage.ts";
import { manyPlugins } from "./shots/many-plugins.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

const nothing = {
  keys: 0,
  files: 0,
  fileBytes: 0,
  secrets: 0,
  settings: 0,
  usedBytes: 0,
  quotaBytes: 100_000_000,
};
const much = {
  keys: 1_204,
  files: 3,
  fileBytes: 1_200_000,
  secrets: 2,
  settings: 5,
  usedBytes: 1_310_000,
  quotaBytes: 100_000_000,
};
const stored = (data: object) => () => ({ json: { success: true, data } });
const done = (message: string) => () => ({ json: { success: true, message } });
const without = (name: string) => manyPlugins.filter((plugin) => plugin.name !== name);

describe("the question before a plugin is deleted", () => {
  test("says what is lost, and deletes it only once its name was typed", async () => {
    const { page, calls, tell } = await openPlugins(stage, {
      "GET /visitor-notes/data": stored(much),
      "DELETE /visitor-notes": done("Visitor notes deleted"),
    });
    await page.getByRole("button", { name: "Delete Visitor notes" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete Visitor notes?" });
    await dialog.getByText("All plugin data will be deleted.").waitFor();
    await dialog.getByText("1,204 entries, 3 files (1.2 MB), 2 secrets, 5 settings").waitFor();
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await dialog.getByText("This doesn't match the plugin's name").waitFor();
    expect(calls.some((call) => call.startsWith("DELETE"))).toBe(false);
    await dialog.getByLabel("Type the plugin's name to confirm").fill("visitor-notes");
    tell(without("visitor-notes"));
    await page.keyboard.press("Enter");
    await notice(page, "Visitor notes deleted");
    await page.getByRole("link", { name: "Visitor notes" }).waitFor({ state: "detached" });
    expect(calls).toContain("DELETE /visitor-notes");
  });

  test("warns of nothing where the data is kept, and wants nothing typed", async () => {
    const { page, calls } = await openPlugins(stage, {
      "GET /visitor-notes/data": stored(much),
      "DELETE /visitor-notes": done("Visitor notes deleted, its data kept"),
    });
    await page.getByRole("button", { name: "Delete Visitor notes" }).click();
    await page.getByLabel("Retain plugin database data").check();
    expect(await page.getByText("All plugin data will be deleted.").count()).toBe(0);
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await notice(page, "Visitor notes deleted, its data kept");
    expect(calls).toContain("DELETE /visitor-notes?retainData=true");
  });

  test("names those that need it, and has them disabled first", async () => {
    const { page, calls, tell } = await openPlugins(stage, {
      "GET /weather/data": stored(nothing),
      "DELETE /weather": done("Weather on every page deleted, and disabled Shop"),
    });
    tell(withChange("reloading", { dependsOn: ["weather"], state: "running" }));
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByRole("cell", { name: "Weather on every page", exact: true }).waitFor();
    await page.getByRole("button", { name: "Delete Weather on every page" }).click();
    await page.getByText("These plugins depend on it and are disabled first: Shop.").waitFor();
    await page.getByRole("button", { name: "Disable these and delete" }).click();
    await notice(page, "Weather on every page deleted, and disabled Shop");
    expect(calls).toContain("DELETE /weather?force=true");
  });

  test("offers to disable those that were enabled in the meantime", async () => {
    let isNeeded = true;
    const { page, calls } = await openPlugins(stage, {
      "GET /weather/data": stored(nothing),
      "DELETE /weather": () => {
        const answer = isNeeded
          ? refusal(409, "PLUGIN_NEEDED", "Shop needs Weather on every page", {
              errors: [{ path: "shop", message: "Shop alone" }],
            })
          : done("Gone")();
        isNeeded = false;
        return answer;
      },
    });
    await page.getByRole("button", { name: "Delete Weather on every page" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("Shop needs Weather on every page").waitFor();
    await page.getByRole("button", { name: "Disable these and delete" }).click();
    await notice(page, "Gone");
    expect(calls.filter((call) => call.startsWith("DELETE"))).toEqual([
      "DELETE /weather",
      "DELETE /weather?force=true",
    ]);
  });

  test("is not asked about a core plugin", async () => {
    const { page } = await openPlugins(stage);
    const button = page.getByRole("button", { name: "Delete Licensing" });
    expect(await button.isDisabled()).toBe(true);
    await button.focus();
    await page.keyboard.press("Enter");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });
});

import { describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { notice, openPlugins, refusal, withChange } from "./plugins-stage.ts";
import {
  askedPermissions,
  manyPlugins,
  packagePreview,
  pendingDetails,
  plugin,
  trustedKeys,
} from "./shots/many-plugins.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

const zip = { name: "weather-report.zip", mimeType: "application/zip", buffer: Buffer.alloc(1_240_000) };
const unsigned = { state: "unsigned", keyId: null, publisher: null, signedAt: null };
const weather = plugin({ name: "weather-report", title: "Weather report", version: "1.0.0" });
const inspected = (change = {}) => ({
  "POST /inspect": () => ({ json: { success: true, data: packagePreview(change) } }),
});
const press = (page: Page, name: string) =>
  page.getByRole("dialog").getByRole("button", { name, exact: true }).click();

const send = async (page: Page, file = zip) => {
  await page.getByRole("button", { name: "Upload Plugin" }).click();
  await page.getByLabel("Plugin package").setInputFiles(file);
  await press(page, "Upload");
};

/** Drops a file on the page, as from a folder; resolves to whether the browser is kept from opening it. */
const drop = (page: Page, name: string) =>
  page.evaluate((fileName) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["some bytes"], fileName));
    const options = { bubbles: true, cancelable: true, dataTransfer };
    return ["dragover", "drop"].every((type) => !document.body.dispatchEvent(new DragEvent(type, options)));
  }, name);

describe("an upload", () => {
  test("without a file, or of another kind, is not sent", async () => {
    const { page, calls } = await openPlugins(stage);
    await page.getByRole("button", { name: "Upload Plugin" }).click();
    await press(page, "Upload");
    await page.getByText("Please select a plugin file").waitFor();
    const text = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("notes") };
    await page.getByLabel("Plugin package").setInputFiles(text);
    await page.getByText("Only .zip files are accepted").waitFor();
    await press(page, "Upload");
    expect(calls).toEqual([]);
  });

  test("shows the size, what is in the package, and installs it only then", async () => {
    const { page, calls } = await openPlugins(stage, {
      ...inspected(),
      "POST /upload": () => ({
        status: 201,
        json: { success: true, message: "Weather report 1.0.0 installed", data: weather },
      }),
      "POST /weather-report/toggle": () => ({
        json: { success: true, message: "Weather report enabled", data: { ...weather, enabled: true } },
      }),
    });
    await page.getByRole("button", { name: "Upload Plugin" }).click();
    await page.getByLabel("Plugin package").setInputFiles(zip);
    await page.getByText("weather-report.zip (1.24 MB)").waitFor();
    await press(page, "Upload");
    const dialog = page.getByRole("dialog", { name: "Weather report" });
    for (const words of [
      "1.24 MB, 12 files",
      "Connect to other servers",
      "api.example.com",
      "licensing ^1.0.0",
    ])
      await dialog.getByText(words).waitFor();
    await dialog.getByText("Signed by Northwind Tools, whose key you trust").waitFor();
    expect(calls).toEqual(["POST /inspect"]);
    await press(page, "Install");
    await page.getByText("Weather report 1.0.0 installed").waitFor();
    await press(page, "Enable now");
    await notice(page, "Weather report enabled");
    expect(calls.filter((call) => call.startsWith("POST"))).toEqual([
      "POST /inspect",
      "POST /upload",
      "POST /weather-report/toggle",
    ]);
  });

  test("is a form with the file in the field “plugin”", async () => {
    let form = "";
    const { page } = await openPlugins(stage, {
      "POST /inspect": (request) => {
        form = request.postDataBuffer()?.toString("latin1").slice(0, 200) ?? "";
        return { json: { success: true, data: packagePreview() } };
      },
    });
    await send(page, { ...zip, buffer: Buffer.from("bytes") });
    await page.getByRole("dialog", { name: "Weather report" }).waitFor();
    expect(form).toContain('name="plugin"; filename="weather-report.zip"');
  });

  test("that is refused names every problem, and another file can be chosen", async () => {
    const errors = [
      { path: "plugin.json", message: "This field is missing: version" },
      { path: "backend/index.js", message: "The file is listed but is not there" },
    ];
    const { page } = await openPlugins(stage, {
      "POST /inspect": () =>
        refusal(422, "PLUGIN_INVALID", "This package is not a usable plugin", { errors }),
    });
    await send(page);
    await page.getByText("This package is not a usable plugin").waitFor();
    expect(await page.getByRole("list", { name: "Problems" }).getByRole("listitem").count()).toBe(2);
    expect(await page.getByLabel("Plugin package").isVisible()).toBe(true);
  });

  test("whose answer holds no words fails in words of the page", async () => {
    const { page } = await openPlugins(stage, {
      "POST /inspect": () => ({ status: 500, json: {} }),
    });
    await send(page);
    await page.getByText("Error uploading plugin").waitFor();
  });

  test("of what cannot be installed says why and offers no install", async () => {
    const { page } = await openPlugins(
      stage,
      inspected({ obstacles: ["Weather report and Shop need each other"] }),
    );
    await send(page);
    await page.getByText("Weather report and Shop need each other").waitFor();
    const install = page.getByRole("dialog").getByRole("button", { name: "Install" });
    expect(await install.isDisabled()).toBe(true);
  });

  test("that has another publisher, or none, names the current publisher", async () => {
    const publisherChanged = {
      from: "ab",
      to: "unsigned",
      fromName: "Nora",
      toName: "no publisher (unsigned)",
    };
    const changed = { installedVersion: "0.9.0", publisherChanged };
    const { page } = await openPlugins(
      stage,
      inspected({ ...changed, signature: unsigned, tier: "unsigned" }),
    );
    await send(page);
    await page
      .getByText("The publisher changes from Nora to no publisher (unsigned).", { exact: false })
      .waitFor();
  });

  test("of an older version is taken only by its own words", async () => {
    const { page, calls } = await openPlugins(stage, {
      ...inspected({ installedVersion: "1.4.0", needsDowngrade: true }),
      "POST /upload": () => ({
        status: 201,
        json: { success: true, message: "Weather report went back", data: weather },
      }),
    });
    await send(page);
    await page.getByText("1.4.0 → 1.0.0").waitFor();
    await press(page, "Downgrade to 1.0.0");
    await page.getByText("Weather report went back").waitFor();
    expect(calls).toContain("POST /upload?allowDowngrade=true");
  });

  test("of an update marks what is new, and leads on to the consent that it waits for", async () => {
    const waiting = { ...weather, enabled: true, version: "0.9.0", pendingVersion: "1.0.0" };
    const { page, calls } = await openPlugins(stage, {
      ...inspected({ installedVersion: "0.9.0", newPermissions: askedPermissions.slice(2, 3) }),
      "POST /upload": () => ({
        status: 201,
        json: { success: true, message: "It is stored and waits for your consent", data: waiting },
      }),
      "GET /weather-report": () => ({ json: { success: true, data: pendingDetails(waiting) } }),
      "POST /weather-report/versions/1.0.0/activate": () => ({
        json: { success: true, message: "Weather report updated to 1.0.0", data: weather },
      }),
    });
    await send(page);
    await page.getByRole("dialog").getByText("New", { exact: true }).waitFor();
    await press(page, "Update to 1.0.0");
    await page.getByText("It is stored and waits for your consent").waitFor();
    await press(page, "View permissions");
    const sheet = page.getByRole("dialog", { name: "Update Weather report?" });
    await sheet.getByText("Connect to other servers").waitFor();
    await sheet.getByRole("button", { name: "Allow and update" }).click();
    await notice(page, "Weather report updated to 1.0.0");
    expect(calls).toContain("POST /weather-report/versions/1.0.0/activate");
  });

  test("can be canceled while it is sent, and started again", async () => {
    const { page } = await openPlugins(stage);
    await page.route("**/api/plugins/inspect", () => {});
    await send(page);
    await page.getByText("Sending the package").waitFor();
    await press(page, "Cancel");
    await page.getByText("weather-report.zip (1.24 MB)").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  test("begins with a file that is dropped anywhere, another one takes its place", async () => {
    const { page } = await openPlugins(stage);
    await page.getByRole("link", { name: "Licensing" }).waitFor();
    expect(await drop(page, "first.zip")).toBe(true);
    await page.getByText("first.zip (0.01 MB)").waitFor();
    expect(await drop(page, "second.zip")).toBe(true);
    await page.getByText("second.zip (0.01 MB)").waitFor();
  });
});

const publicKey = "q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k=";

/** The keys, with what was sent to them besides. */
const openKeys = async () => {
  const visit = await openPlugins(stage, {}, { query: "?tab=keys" });
  const sent: string[] = [];
  await visit.page.route("**/api/admin/plugin-keys**", (route) => {
    const request = route.request();
    if (request.method() === "GET")
      return route.fulfill({ json: { success: true, data: { keys: trustedKeys } } });
    sent.push(`${new URL(request.url()).pathname} ${request.postData() ?? ""}`.trim());
    return route.fulfill({ json: { success: true, message: "Done", data: trustedKeys[1] } });
  });
  await visit.page.route("**/api/admin/plugin-keys/**", (route) => {
    sent.push(new URL(route.request().url()).pathname);
    return route.fulfill({ json: { success: true, message: "The key was revoked", data: trustedKeys[1] } });
  });
  await visit.page.reload();
  await key(visit.page, "Northwind Tools").waitFor();
  return { ...visit, sent };
};

const key = (page: Page, label: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: label }) });

const textOf = async (locator: Locator) => (await locator.allInnerTexts()).join();

describe("the trusted keys", () => {
  test("say whose they are and on what terms; the operator's and revoked ones have no button", async () => {
    const { page, complaints } = await openKeys();
    expect(await textOf(key(page, "Northwind Tools"))).toContain("Any plugin");
    expect(await textOf(key(page, "PLUGIN_TRUSTED_KEYS"))).toContain("Set by the operator");
    expect(await textOf(key(page, "Werkstatt"))).toContain("shop-*, weather");
    expect(await page.getByRole("button", { name: /^Revoke / }).count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test("a key is trusted once it is pasted whole and has a name", async () => {
    const { page, sent } = await openKeys();
    await page.getByRole("button", { name: "Add key" }).click();
    await page.getByLabel("Public key").fill("too short");
    await page.getByRole("button", { name: "Trust key" }).click();
    await page.getByText("Enter an ed25519 public key: 44 base64 characters").waitFor();
    expect(sent).toEqual([]);
    await page.getByLabel("Public key").fill(`${publicKey.slice(0, 20)}\n${publicKey.slice(20)}`);
    await page.getByLabel("Publisher").fill("Fabrikam");
    await page.getByLabel("Plugins it may sign").fill("shop-*, weather");
    await page.getByLabel("Not after", { exact: true }).fill("2027-10-28");
    await page.getByRole("button", { name: "Trust key" }).click();
    await notice(page, "Done");
    const body = {
      ...{ publicKey, label: "Fabrikam", names: ["shop-*", "weather"], notBefore: null },
      notAfter: "2027-10-28T23:59:59.999Z",
    };
    expect(sent).toEqual([`/api/admin/plugin-keys ${JSON.stringify(body)}`]);
  });

  test("a key is revoked after the question has named what stops", async () => {
    const { page, sent } = await openKeys();
    await page.getByRole("button", { name: "Revoke Northwind Tools" }).click();
    await page.getByText("These plugins stop immediately: Shop, Visitor notes.").waitFor();
    await page.getByRole("button", { name: "Revoke key" }).click();
    await notice(page, "The key was revoked");
    expect(sent).toEqual([`/api/admin/plugin-keys/${trustedKeys[1]?.keyId}/revoke`]);
  });
});

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

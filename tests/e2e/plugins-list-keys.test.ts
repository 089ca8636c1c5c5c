import { describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { notice, openPlugins } from "./plugins-stage.ts";
import { trustedKeys } from "./shots/many-plugins.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

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

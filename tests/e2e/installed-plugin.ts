import type { Page } from "playwright-core";
import { generateKey } from "#api/plugin-host/package/keys.ts";
import { packPlugin, type TestPackage } from "#api/testing/plugin-package.ts";

/** Uploads a package as the admin whose window this is, and enables the plugin with all that it asks for. */
export const installPlugin = async (page: Page, wanted: TestPackage & { name: string }): Promise<void> =>
  installZip(page, { name: wanted.name, zip: await packPlugin(wanted) });

/** The same with a package that is there already. */
export const installZip = async (page: Page, packed: { name: string; zip: Uint8Array }): Promise<void> => {
  const zip = Buffer.from(packed.zip).toString("base64");
  const answers = await page.evaluate(
    async ({ name, zip }) => {
      const body = new FormData();
      const bytes = Uint8Array.from(atob(zip), (char) => char.charCodeAt(0));
      body.set("plugin", new File([bytes], `${name}.zip`, { type: "application/zip" }));
      const upload = await fetch("/api/plugins/upload?allowDowngrade=true", { method: "POST", body });
      const toggle = await fetch(`/api/plugins/${name}/toggle`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ enabled: true, consent: true }),
      });
      return [await upload.text(), await toggle.text()];
    },
    { name: packed.name, zip },
  );
  const failed = answers.find((answer) => !answer.includes('"success":true'));
  if (failed !== undefined) throw new Error(failed);
};

/** Makes a publisher's key that the server trusts, as the admin whose window this is; resolves to its private half. */
export const trustedKey = async (page: Page): Promise<string> => {
  const { publicKey, privateKey } = generateKey();
  const status = await page.evaluate(async (key) => {
    const answer = await fetch("/api/admin/plugin-keys", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ publicKey: key, label: "Tests" }),
    });
    return answer.status;
  }, publicKey);
  if (status >= 300) throw new Error(`the key was not taken: ${status}`);
  return privateKey;
};

/** A backend that tells who calls, and throws on demand. */
export const notesBackend = (name: string, version = "1.0.0"): string => `export default {
  name: ${JSON.stringify(name)}, version: ${JSON.stringify(version)},
  setup(ctx) {
    ctx.routes.get("/whoami", (request) => ({ name: request.user?.name ?? null }));
    ctx.routes.get("/missing", () => ctx.respond({ status: 404, json: { message: "There is no such note" } }));
    ctx.log("info", "notes are ready");
  },
};`;

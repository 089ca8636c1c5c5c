import { expect, test } from "bun:test";
import type { PageServer } from "#api/http/pages/open-page.ts";
import { createFixedSettings } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { newTokenClient } from "#api/testing/token-client.ts";
import { unsetSite } from "#contract/site.ts";

const name = "North & <b>wind";
const settings = createFixedSettings();
const pages: PageServer = {
  respond: ({ hasToken, isKnown }) => Response.json({ hasToken, isKnown }),
  isForSome: (path) => path === "/llms.txt" && settings.current.site.docs !== "everybody",
};
const host = await hostForFile({ settings, mcpEnabled: true, pages });

test("the API's description, authenticators and emails call the site what it is called from then on", async () => {
  const title = async () => (await (await host.visitor().call("GET", "/swagger/json")).json()).info.title;
  expect(await title()).toBe("Atrium");
  settings.setSite({ ...unsetSite, name });
  expect(await title()).toBe(name);
  const document = await (await host.visitor().call("GET", "/swagger/json")).text();
  expect(/.{60}Atrium.{30}/.exec(document)?.[0]).toBeUndefined();
  const member = await host.signedIn("user");
  const { data: totp } = await (await member.call("POST", "/api/account/totp")).json();
  expect(new URL(totp.uri).searchParams.get("issuer")).toBe(name);
  const { data: passkey } = await (await member.call("POST", "/api/account/passkeys/ceremony", {})).json();
  expect(passkey.options.rp.name).toBe(name);
  const address = { name: "Ada", email: "ada@b.example", password: "Correct-horse-7" };
  await host.visitor().call("POST", "/api/auth/register", address);
  expect(host.mails.at(-1)?.text).toContain(`signed up for ${name} with this email address`);
});

test.each([
  ["members", [401, 200, 200, 200]],
  ["admins", [401, 403, 200, 200]],
  ["off", [404, 404, 404, 404]],
] as const)(
  "the API's description is for those whom the settings name (%s), and in no shared cache",
  async (docs, statuses) => {
    settings.setSite({ ...unsetSite, docs });
    const token = await newTokenClient(host, { scopes: ["settings:read"] });
    const readers = [host.visitor(), await host.signedIn("user"), await host.signedIn("admin"), token];
    const answers = await Promise.all(readers.map((reader) => reader.call("GET", "/swagger/json")));
    expect(answers.map(({ status }) => status)).toEqual([...statuses]);
    for (const { headers } of answers) expect(headers.get("cache-control")).toMatch(/no-store/);
    settings.setSite(unsetSite);
  },
);

test("a token reads the pages that only some may read; one that is wrong is known to be no one's", async () => {
  settings.setSite({ ...unsetSite, docs: "admins" });
  const token = await newTokenClient(host);
  const ask = async (options = {}) => (await token.call("GET", "/llms.txt", undefined, options)).json();
  expect(await ask()).toEqual({ hasToken: true, isKnown: true });
  const headers = { authorization: "Bearer atr_wrong" };
  expect(await ask({ headers })).toEqual({ hasToken: false, isKnown: true });
  settings.setSite(unsetSite);
  expect(await ask()).toEqual({ hasToken: false, isKnown: true });
});

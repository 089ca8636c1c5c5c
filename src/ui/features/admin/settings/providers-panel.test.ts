import { expect, setDefaultTimeout, test } from "bun:test";
import type { SignInProvider } from "#api/modules/providers/contract.ts";
import { providerSettings, providerTexts, sentences } from "#contract/provider-settings.ts";
import { settingsAnswers } from "#ui/testing/answers.ts";
import { openPages, refusal } from "#ui/testing/pages.ts";
import { presets, providerFormTexts as words } from "./provider-sheet.tsx";
import { testTexts, providersTexts as texts } from "./texts.ts";

setDefaultTimeout(30_000);

const open = openPages();
const list = "GET /api/auth/settings/providers";
const put = "PUT /api/auth/settings/providers/acme";
const redirectUri = "https://atrium.example/api/auth/{provider}/callback";

const someProvider = (change: Partial<SignInProvider> = {}): SignInProvider => ({
  ...{ id: "acme", kind: "oidc", source: "settings", lockedBy: null, state: "on", hasClientSecret: true },
  settings: {
    ...providerSettings.defaults,
    ...{
      label: "Acme",
      issuer: "https://id.acme.example",
      clientId: "atrium",
      groupRoles: ["ops, eu:admin"],
    },
  },
  redirectUri: "https://atrium.example/api/auth/acme/callback",
  logoutUri: "https://atrium.example/api/auth/acme/backchannel-logout",
  ...{ users: 3, usersWithoutOther: 2, usersElsewhere: 0, adminsByGroup: 0 },
  ...change,
});

const openWith = (...providers: SignInProvider[]) =>
  open("/admin/settings", {
    as: "admin",
    answers: { ...settingsAnswers(), [list]: { data: { providers, redirectUri } } },
  });

test("a provider is added from a preset, with the redirect URL of its name; a refusal is at its field and loses nothing", async () => {
  const page = await openWith();
  await page.shows(texts.none);
  const errors = [{ path: "issuer", message: providerTexts.issuerTaken("Corp") }];
  page.answer({
    [put]: refusal("VALIDATION_FAILED", "Please check", { errors }),
  });
  await page.press(texts.add);
  await page.shows(words.addTitle);
  await page.choose(words.preset, "entra");
  expect(page.value("Issuer")).toBe(presets.entra.issuer);
  expect(page.value("Email claim")).toBe("preferred_username");
  await page.press(words.save);
  await page.shows(providerTexts.nameInvalid);
  await page.fill(words.name, "acme");
  await page.shows("https://atrium.example/api/auth/acme/callback");
  await page.fill("Client ID", "atrium");
  await page.fill(words.secret, "secret");
  await page.fill("Issuer", "https://login.example/tenant/v2.0");
  await page.press(words.save);
  await page.shows(providerTexts.issuerTaken("Corp"));
  expect(page.value(words.secret)).toBe("secret");
  page.answer({
    [put]: { message: "Acme was saved", data: someProvider() },
    [list]: { data: { providers: [someProvider()], redirectUri } },
  });
  await page.press(words.save);
  await page.shows("Acme was saved");
  await page.shows(/3 users linked/);
  expect(page.calls(put).at(-1)?.body).toMatchObject({
    ...{ issuer: "https://login.example/tenant/v2.0", clientId: "atrium", clientSecret: "secret" },
    ...{ isEnabled: true, scopes: ["openid", "email", "profile"], groupRoles: [] },
    claims: { email: "preferred_username", emailVerified: "", name: "name", groups: "groups" },
  });
});

test("a provider is changed and tested with what is typed, and its secret stays", async () => {
  const page = await openWith(someProvider());
  await page.findByRole("button", { name: texts.edit("Acme") });
  await page.press(texts.edit("Acme"));
  await page.shows(words.onceOff);
  await page.shows(`${providerTexts.leftOut(2)}.`);
  expect(page.value("Roles by group")).toBe("ops, eu:admin");
  await page.fill("Title", "Acme Inc.");
  const result = {
    title: "Sign-in Provider Test Successful",
    message: "Acme Inc. can be used.",
    details: "",
  };
  const tested = "POST /api/auth/settings/providers/acme/test";
  page.answer({
    [tested]: { message: "", data: { testResult: { ...result, severity: "success", testResults: [] } } },
    [put]: { message: "Acme Inc. was saved", data: someProvider() },
  });
  await page.press(testTexts.provider.button);
  await page.shows(result.message);
  await page.press(testTexts.close);
  await page.press(words.save);
  await page.shows("Acme Inc. was saved");
  for (const call of [page.calls(tested)[0], page.calls(put)[0]]) {
    expect(call?.body).toMatchObject({ label: "Acme Inc.", groupRoles: ["ops, eu:admin"] });
    expect(call?.body).not.toHaveProperty("clientSecret");
  }
});

test("a provider is removed once it is confirmed, which says whom that concerns", async () => {
  const page = await openWith(someProvider({ adminsByGroup: 1 }));
  await page.findByRole("button", { name: texts.edit("Acme") });
  await page.press(texts.edit("Acme"));
  await page.shows(words.claims);
  const remove = "DELETE /api/auth/settings/providers/acme";
  page.answer({
    [remove]: {
      message: "Acme was removed",
      data: { id: "acme", label: "Acme", usersWithoutOther: 2, adminsByGroup: 1 },
    },
    [list]: { data: { providers: [], redirectUri } },
  });
  await page.press(words.remove);
  const { leftOut, adminsStay } = providerTexts;
  await page.shows(sentences(leftOut(2), adminsStay(1), words.removeText));
  expect(page.calls(remove)).toEqual([]);
  await page.press(words.removeConfirm);
  await page.shows("Acme was removed");
  await page.shows(texts.none);
});

test("a provider of the environment shows what locks it and its URLs, and can't be changed", async () => {
  const page = await openWith(someProvider({ source: "environment", lockedBy: "OIDC_ACME_*" }));
  await page.shows(texts.locked("OIDC_ACME_*"));
  await page.press(texts.view("Acme"));
  await page.shows("https://atrium.example/api/auth/acme/callback");
  expect(page.offers("button", words.save)).toBe(false);
  expect(page.offers("button", testTexts.provider.button)).toBe(true);
});

test("a list that can't be loaded says so, and is loaded again", async () => {
  const page = await open("/admin/settings", {
    as: "admin",
    answers: { ...settingsAnswers(), [list]: refusal("DB_UNAVAILABLE") },
  });
  await page.findByRole("button", { name: "Try again" });
  page.answer({ [list]: { data: { providers: [someProvider()], redirectUri } } });
  await page.press("Try again");
  await page.shows(/3 users linked/);
});

import { describe, expect, test } from "bun:test";
import { accountSettings } from "#contract/core-settings.ts";
import { credentialSettings } from "#contract/credential-settings.ts";
import { settingsTexts as words } from "#contract/settings.ts";
import { leaveTexts } from "#ui/components/confirm-dialog.tsx";
import { settingsAnswers, someCore, someCredentials } from "#ui/testing/answers.ts";
import { noAnswer, type OpenPage, openPages, refusal } from "#ui/testing/pages.ts";
import type { Answers } from "#ui/testing/scripted-api.ts";
import { fieldsTexts, settingsPageTexts as texts } from "./texts.ts";

const { redis, cloudflareR2 } = credentialSettings.fields;

const open = openPages();

const credentials = "PUT /api/auth/settings/credentials";
const core = "PUT /api/auth/settings/core";

const openSettings = async (answers: Answers = {}) => {
  const page = await open("/admin/settings", { as: "admin", answers: { ...settingsAnswers(), ...answers } });
  await page.findByLabelText(redis.endpoint.label);
  return page;
};
const saved = (page: OpenPage) => [...page.calls(credentials), ...page.calls(core)].map(({ body }) => body);
const type = (page: OpenPage, label: string) => page.getByLabelText(label).getAttribute("type");

describe("the settings", () => {
  test("say how links verify, and save another choice by its own call", async () => {
    const route = "PUT /api/auth/settings/accounts";
    const page = await openSettings();
    const saved = { ...accountSettings.defaults, verification: "always-choose" };
    page.answer({ [route]: { data: saved } });
    await page.choose("Email verification", "always-choose");
    await page.press(texts.save);
    await page.until(() =>
      expect(page.calls(route).map(({ body }) => body)).toEqual([{ verification: "always-choose" }]),
    );
    await page.shows(texts.unchanged);
  });

  test("lead who requires a second factor of others without having one to setting it up", async () => {
    const route = "PUT /api/auth/settings/accounts";
    const page = await openSettings({ [route]: refusal("SECOND_FACTOR_FIRST") });
    await page.choose(accountSettings.fields.secondFactor.label, "admins");
    await page.press(texts.save);
    const link = await page.findByRole("link", { name: texts.setUpFactor });
    expect(link.getAttribute("href")).toBe("/account/security#two-factor");
  });

  test("have every section in its order, the choices of a window, and whom the limit meets", async () => {
    const page = await openSettings();
    expect([...document.querySelectorAll("main h2")].map(({ textContent }) => textContent)).toEqual([
      "Redis Configuration",
      "Object Storage (R2)",
      "Firewall",
      "Core Rate Limiting",
      "Core Security Settings",
      "Accounts",
      "Site",
      "Sign-in providers",
      "Email",
      "History",
    ]);
    const options = page.getByLabelText("Window").querySelectorAll("option");
    expect([...options].map(({ textContent }) => textContent)).toEqual([
      "1 minute",
      "5 minutes",
      "10 minutes",
      "15 minutes",
      "30 minutes",
      "1 hour",
    ]);
    const hint = page.getByLabelText("Max Requests").getAttribute("aria-describedby") ?? "";
    expect(document.getElementById(hint)?.textContent).toContain(
      "Users who share an IP address share the limit",
    );
  });

  test("are saved in both parts, and only what was changed is sent", async () => {
    const page = await openSettings();
    await page.fill(cloudflareR2.bucket.label, "packages");
    await page.fill("Max Requests", "250");
    await page.choose("Window", "5 minutes");
    const cors = page.getByRole("switch", { name: "CORS" });
    await page.click(cors);
    await page.until(() => expect(cors.getAttribute("aria-checked")).toBe("false"));
    await page.shows(texts.changed(4));
    const next = someCore({ maxRequests: 250, windowMs: 300_000 });
    page.answer({
      [credentials]: { data: someCredentials({ cloudflareR2: { bucket: "packages" } }) },
      [core]: { data: { ...next, security: { ...next.security, corsEnabled: false } } },
    });
    await page.press(texts.save);
    await page.shows(words.allSaved);
    await page.shows(texts.unchanged);
    expect(saved(page)).toEqual([
      { cloudflareR2: { bucket: "packages" } },
      { rateLimiting: { windowMs: 300_000, maxRequests: 250 }, security: { corsEnabled: false } },
    ]);
  });

  test("are there whatever parts the answer about the installation's state lacks", async () => {
    const firewall = {
      installed: false,
      enabled: false,
      masterSwitchEnabled: false,
      rateLimitingEnabled: false,
      developmentModeEnabled: false,
    };
    const page = await openSettings({ "GET /api/system/status": { data: { firewall } } });
    await page.until(() => expect(page.calls("GET /api/system/status").length).toBeGreaterThan(0));
    expect(page.getByRole("switch", { name: "CORS" }).isConnected).toBe(true);
  });

  test("are not sent, and said to be saved, while nothing is changed", async () => {
    const page = await openSettings();
    expect(page.getByRole("button", { name: texts.save }).getAttribute("aria-disabled")).toBe("true");
    await page.press(texts.save);
    await page.keys("{Control>}s{/Control}");
    await page.shows(texts.nothingToSave);
    expect([page.has(words.allSaved), saved(page)]).toEqual([false, []]);
  });

  test("name the variable that lists other servers for objects", async () => {
    const page = await openSettings();
    await page.shows(/must be listed in S3_ENDPOINTS/);
  });

  test("name the other servers for objects that are listed", async () => {
    const listed = someCredentials({ cloudflareR2: { otherEndpoints: ["https://minio.example:9000"] } });
    const page = await openSettings(settingsAnswers(listed));
    await page.shows(/listed in S3_ENDPOINTS: https:\/\/minio\.example:9000$/);
  });

  test("are not sent while a field has an error, which is said and gone to; what is discarded is as before", async () => {
    const page = await openSettings();
    await page.fill(redis.endpoint.label, "http://redis.example");
    await page.shows(words.redisEndpointInvalid);
    await page.fill("Max Requests", "5");
    await page.press(texts.fix);
    await page.shows(words.fixBeforeSaving);
    await page.focusIsAt(page.getByLabelText(redis.endpoint.label));
    expect(saved(page)).toEqual([]);
    await page.press(texts.discard);
    await page.findByRole("button", { name: texts.save });
    await page.focusIsAt(page.getByRole("button", { name: texts.discard }));
    expect([page.value(redis.endpoint.label), page.has(words.fixBeforeSaving)]).toEqual(["", false]);
  });

  test("keep what the server refuses of one part beside its field, and say that the other is saved", async () => {
    const page = await openSettings();
    await page.fill(redis.endpoint.label, "redis://169.254.169.254:6379");
    await page.fill("Message", "Please slow down.");
    const errors = [{ path: "redis.endpoint", message: words.addressRefused }];
    page.answer({
      [credentials]: refusal("VALIDATION_FAILED", "Please check", { errors }),
      [core]: { data: someCore({ message: "Please slow down." }) },
    });
    await page.press(texts.save);
    await page.shows(words.addressRefused);
    await page.shows(words.coreSaved);
    await page.shows(words.servicesNotSaved);
    await page.shows("1 field changed · 1 field to fix");
    await page.focusIsAt(page.getByLabelText(redis.endpoint.label));
    expect(page.value(redis.endpoint.label)).toBe("redis://169.254.169.254:6379");
    await page.fill(redis.endpoint.label, "");
    await page.shows(texts.unchanged);
  });

  test("keep everything typed when no answer comes, and are saved once the server is back", async () => {
    const page = await openSettings({ [core]: noAnswer });
    await page.fill("Max Requests", "300");
    await page.press(texts.save);
    await page.shows(/^Error saving core settings: /);
    expect(page.value("Max Requests")).toBe("300");
    page.answer({ [core]: { data: someCore({ maxRequests: 300 }) } });
    await page.press(texts.save);
    await page.shows(words.allSaved);
    expect(page.has(/^Error saving core settings: /)).toBe(false);
  });

  test("say which of them could not be loaded, and are loaded when asked again", async () => {
    const page = await open("/admin/settings", {
      as: "admin",
      answers: { ...settingsAnswers(), "GET /api/auth/settings/core": refusal("DB_UNAVAILABLE", "Away") },
    });
    await page.shows(words.coreNotLoaded);
    page.answer(settingsAnswers());
    await page.press(texts.tryAgain);
    await page.findByLabelText(redis.endpoint.label);
  });

  test("are filled in, fixed and saved by keyboard", async () => {
    const page = await openSettings();
    await page.fill("Max Requests", "7");
    await page.keys("{Meta>}s{/Meta}");
    await page.shows(words.fixBeforeSaving);
    page.answer({ [core]: { data: someCore({ maxRequests: 400 }) } });
    await page.fill("Max Requests", "400");
    await page.keys("{Control>}s{/Control}");
    await page.shows(words.allSaved);
  });
});

describe("a saved secret", () => {
  const password = redis.password.label;
  const removal = `${fieldsTexts.remove} ${password}`;
  const withRedis = (hasPassword: boolean) =>
    someCredentials({ redis: { endpoint: "redis://127.0.0.1:6399", hasPassword } });

  test("is never shown, stays while its field is empty, and goes when it is removed", async () => {
    const page = await openSettings(settingsAnswers(withRedis(false)));
    await page.fill(password, "quite-a-secret");
    await page.press(`${fieldsTexts.show} ${password}`);
    expect(type(page, password)).toBe("text");
    page.answer({ [credentials]: { data: withRedis(true) } });
    await page.press(texts.save);
    await page.shows(texts.unchanged);
    expect(page.getByLabelText(password).getAttribute("placeholder")).toBe(fieldsTexts.secretSaved);
    expect([page.value(password), document.body.innerHTML.includes("quite-a-secret")]).toEqual(["", false]);
    await page.fill(redis.endpoint.label, "redis://127.0.0.1:6399/2");
    await page.press(texts.save);
    await page.until(() => expect(saved(page)).toHaveLength(2));
    await page.press(texts.discard);
    await page.press(removal);
    await page.shows(texts.changed(1));
    expect(page.getByLabelText<HTMLInputElement>(password).disabled).toBe(true);
    await page.press(`${fieldsTexts.keep} ${password}`);
    await page.shows(texts.unchanged);
    await page.press(removal);
    page.answer({ [credentials]: { data: withRedis(false) } });
    await page.press(texts.save);
    await page.shows(texts.unchanged);
    await page.until(() => expect(page.offers("button", removal)).toBe(false));
    expect(saved(page)).toEqual([
      { redis: { password: "quite-a-secret" } },
      { redis: { endpoint: "redis://127.0.0.1:6399/2" } },
      { redis: { password: null } },
    ]);
  });

  test("is what an empty field keeps: one without any says nothing of keeping", async () => {
    const page = await openSettings(settingsAnswers(withRedis(false)));
    expect(page.getByLabelText(password).getAttribute("placeholder")).toBeNull();
  });

  test("must be entered again as soon as its endpoint names another server, before anything is sent", async () => {
    const account = "https://0123456789abcdef0123456789abcdef.r2.cloudflarestorage.com";
    const keys = { endpointS3: account, hasAccessKeyId: true, hasSecretAccessKey: true };
    const page = await openSettings(settingsAnswers(someCredentials({ cloudflareR2: keys })));
    const placeholder = () => page.getByLabelText(cloudflareR2.accessKeyId.label).getAttribute("placeholder");
    expect(placeholder()).toBe(fieldsTexts.secretSaved);
    await page.fill(cloudflareR2.endpointS3.label, account.replace("01234", "98765"));
    await page.findByRole("button", { name: texts.fix });
    expect([placeholder(), page.getAllByText(words.enterAgain).length]).toEqual([null, 2]);
    expect(page.getByRole("button", { name: "Test R2 Connection" }).getAttribute("aria-disabled")).toBe(
      "true",
    );
    await page.fill(cloudflareR2.accessKeyId.label, "another-access-key");
    await page.fill(cloudflareR2.secretAccessKey.label, "another-secret-key");
    await page.findByRole("button", { name: texts.save });
  });
});

describe("leaving unsaved changes", () => {
  const openChanged = async () => {
    const page = await openSettings();
    await page.fill("Message", "Not saved yet");
    await page.shows(texts.changed(1));
    return page;
  };
  const goTo = (page: OpenPage, name: string) =>
    page.click(page.getAllByRole("link", { name })[0] ?? document.body);

  test("by a link is asked, stays with everything typed, or leaves", async () => {
    const page = await openChanged();
    await goTo(page, "Users");
    await page.shows(texts.leaveText(1));
    await page.press("Cancel");
    await page.until(() => expect(page.offers("dialog")).toBe(false));
    expect([location.pathname, page.value("Message")]).toEqual(["/admin/settings", "Not saved yet"]);
    page.answer({
      "GET /api/admin/users": { data: { users: [], pagination: { total: 0, limit: 25, offset: 0 } } },
    });
    await goTo(page, "Users");
    await page.press(leaveTexts.leave);
    await page.isAt("/admin/users");
  });

  test("by closing the tab asks through the browser, and only with unsaved changes", async () => {
    const page = await openChanged();
    const isHeld = () => {
      const unload = new Event("beforeunload", { cancelable: true });
      window.dispatchEvent(unload);
      return unload.defaultPrevented;
    };
    expect(isHeld()).toBe(true);
    await page.press(texts.discard);
    await page.shows(texts.unchanged);
    await page.until(() => expect(isHeld()).toBe(false));
  });
});

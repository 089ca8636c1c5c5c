import { expect, test } from "bun:test";
import { accountSettings } from "#contract/core-settings.ts";
import { settingsTexts as words } from "#contract/settings.ts";
import { siteSettings } from "#contract/site-settings.ts";
import { people, someSite } from "#ui/testing/answers.ts";
import { openPages, refusal } from "#ui/testing/pages.ts";
import { authScreenTexts as texts } from "./texts.ts";

const open = openPages();
const site = "PUT /api/auth/settings/site";
const accounts = "PUT /api/auth/settings/accounts";
const { name, home } = siteSettings.fields;
const { registration } = accountSettings.fields;

/** The page of a setup link, once it has created the administrator. */
const openSecondStep = async (saved = someSite()) => {
  const page = await open("/setup?token=once", {
    answers: {
      "GET /texts/common-passwords.txt": () => new Response(""),
      "GET /api/auth/setup/once": { success: true, data: {} },
      "POST /api/auth/setup": { success: true, message: "ready", user: people.admin },
      "GET /api/auth/settings/site": { data: saved },
      "GET /api/auth/settings/accounts": { data: accountSettings.defaults },
    },
  });
  await page.fill(texts.name, "Ada");
  await page.fill(texts.email, "ada@example.test");
  for (const label of [texts.password, texts.confirmPassword])
    await page.fill(label, "a long enough passphrase");
  await page.press(texts.createAdmin);
  await page.findByLabelText(name.label);
  return page;
};

test("a renamed site gets a home page of its own, unless the landing page is chosen", async () => {
  const page = await openSecondStep();
  expect(page.value(home.label)).toBe("landing");
  await page.fill(name.label, "Northwind");
  expect(page.value(home.label)).toBe("sections");
  await page.choose(home.label, "landing");
  page.answer({ [site]: refusal("BUSY", "Try again") });
  await page.press(texts.setupSave);
  await page.shows("Try again");
  const accent = siteSettings.defaults.accent;
  expect(page.calls(site).map(({ body }) => body)).toEqual([{ name: "Northwind", accent }]);
});

test("after the administrator the site gets its name, its color, a home page and who may register", async () => {
  const page = await openSecondStep();
  await page.fill(name.label, "");
  await page.press(texts.setupSave);
  await page.shows(/must be 1 to 40 visible characters/);
  await page.fill(name.label, "Northwind");
  await page.choose(registration.label, "invite");
  page.answer({
    [site]: { data: someSite({ name: "Northwind" }) },
    [accounts]: refusal("BUSY", "Try again"),
  });
  await page.press(texts.setupSave);
  await page.shows("Try again");
  expect(page.value(name.label)).toBe("Northwind");
  const accent = siteSettings.defaults.accent;
  expect([...page.calls(site), ...page.calls(accounts)].map(({ body }) => body)).toEqual([
    { name: "Northwind", accent, home: "sections" },
    { registration: "invite" },
  ]);
});

test("what the operator has set in a file says why it is locked, and is not sent", async () => {
  const locked = ["name", "accent", "home"].map((path) => ({ path, reason: words.fixedByFile }));
  const page = await openSecondStep(someSite({ name: "Northwind", locked }));
  expect(page.getByLabelText<HTMLInputElement>(name.label).readOnly).toBe(true);
  expect(page.getAllByText(words.fixedByFile).length).toBe(3);
  await page.choose(registration.label, "invite");
  page.answer({ [accounts]: refusal("BUSY", "Try again") });
  await page.press(texts.setupSave);
  await page.shows("Try again");
  expect(page.calls(site)).toEqual([]);
});

test("a reload comes back to the second step", async () => {
  const page = await openSecondStep();
  await page.reload();
  await page.findByLabelText(name.label);
});

test("an administrator who comes back without a link is led to the admin area", async () => {
  const page = await open("/setup", { as: "admin" });
  await page.isAt("/admin");
});

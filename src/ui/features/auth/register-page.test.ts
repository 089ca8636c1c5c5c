import { describe, expect, test } from "bun:test";
import { authTexts } from "#contract/auth-texts.ts";
import { heldAnswer, noAnswer, openPages, refusal } from "#ui/testing/pages.ts";
import type { Answers } from "#ui/testing/scripted-api.ts";
import { authScreenTexts as texts } from "./texts.ts";

const open = openPages();

const list = "GET /texts/common-passwords.txt";
const openRegister = (answers: Answers = {}) =>
  open("/register", { answers: { [list]: new Response("password1\nqwertyuiop"), ...answers } });
const meter = () => document.querySelector("meter");

describe("the password's strength", () => {
  // One point each for 8 and 12 characters, upper case, lower case, digit and special character, five at most.
  const table = [
    { typed: "你好", label: "Very Weak", bars: 1, tone: "bg-destructive" },
    { typed: "abc", label: "Weak", bars: 1, tone: "bg-destructive" },
    { typed: "abc1", label: "Fair", bars: 2, tone: "bg-chart-2" },
    // Refused, however many kinds of characters it has.
    { typed: "Abc1!", label: "Fair", bars: 2, tone: "bg-chart-2" },
    { typed: "password1", label: "Very Weak", bars: 1, tone: "bg-destructive" },
    { typed: "abcdefg1", label: "Good", bars: 3, tone: "bg-chart-2" },
    { typed: "Abcdefg1", label: "Strong", bars: 4, tone: "bg-success" },
    { typed: "Abcdefg1!", label: "Very Strong", bars: 5, tone: "bg-success" },
    { typed: "Abcdefg1!jklmnop", label: "Very Strong", bars: 5, tone: "bg-success" },
  ];

  test("is told in words, bars and color, beginning with none, and to those who do not see them", async () => {
    const page = await openRegister();
    const bars = () =>
      [...(meter()?.nextElementSibling?.children ?? [])]
        .map(({ classList }) => [...classList].find((name) => name.startsWith("bg-")))
        .filter((name) => name !== "bg-border");
    expect(bars()).toEqual([]);
    expect(meter()?.getAttribute("aria-label")).toBe("Password strength");
    for (const { typed, label, bars: filled, tone } of table) {
      await page.fill(texts.password, typed);
      await page.shows(`Password strength: ${label}`);
      expect([typed, bars()]).toEqual([typed, Array(filled).fill(tone)]);
    }
  });

  test("can be checked by looking at what was typed", async () => {
    const page = await openRegister();
    const type = () => page.getByLabelText(texts.password).getAttribute("type");
    await page.press("Show password");
    expect(type()).toBe("text");
    await page.press("Hide password");
    expect(type()).toBe("password");
  });

  test("is Fair at best while the list of common ones cannot be had, which is asked for again later", async () => {
    const page = await openRegister({ [list]: noAnswer });
    await page.fill(texts.password, "Password1");
    await page.until(() => expect(page.calls(list)).toHaveLength(1));
    await page.shows("Password strength: Fair");
    expect(page.has(authTexts.passwordCommon)).toBe(false);
    await page.fill(texts.password, "Abcdefg1!jklmnop");
    await page.shows("Password strength: Fair");
    page.answer({ [list]: new Response("password1") });
    await page.fill(texts.password, "");
    await page.fill(texts.password, "Password1");
    await page.shows(authTexts.passwordCommon);
    await page.fill(texts.password, "Abcdefg1!jklmnop");
    await page.shows("Password strength: Very Strong");
    await page.hides(authTexts.passwordCommon);
  });

  test("is Fair at best until the list of common ones is there", async () => {
    const { answer, release } = heldAnswer(new Response("password1"));
    const page = await openRegister({ [list]: answer });
    await page.fill(texts.password, "Abcdefg1!");
    await page.shows("Password strength: Fair");
    release();
    await page.shows("Password strength: Very Strong");
  });

  const forms = [
    { path: "/register", answers: {} },
    { path: "/setup?token=once", answers: { "GET /api/auth/setup/once": { success: true, data: {} } } },
  ];
  for (const { path, answers } of forms)
    test(`W3: is Very Weak for the name, the address or the product's name, whichever is typed first, at ${path}`, async () => {
      const page = await open(path, { answers: { [list]: new Response("password1"), ...answers } });
      for (const typed of ["Atrium-2026!", "Atrium, Atrium!"]) {
        await page.fill(texts.password, typed);
        await page.shows("Password strength: Very Weak");
        await page.shows(authTexts.passwordPersonal);
        expect(meter()?.value).toBe(0);
      }
      await page.fill(texts.password, "Lovelace1815!");
      await page.shows("Password strength: Very Strong");
      await page.hides(authTexts.passwordPersonal);
      await page.fill(texts.name, "Ada Lovelace");
      await page.shows("Password strength: Very Weak");
      await page.shows(authTexts.passwordPersonal);
      await page.fill(texts.password, "Engine.Example-1");
      await page.shows("Password strength: Very Strong");
      await page.fill(texts.email, "countess@engine.example");
      await page.shows("Password strength: Very Weak");
      // What begins with a name may become a good one.
      await page.fill(texts.password, "Ada");
      await page.hides(authTexts.passwordPersonal);
      await page.fill(texts.password, "Ada likes engines");
      await page.shows("Password strength: Very Strong");
    });

  test("is Very Weak for a password that the server has refused as breached, and for no other", async () => {
    const message = authTexts.passwordBreached;
    const page = await openRegister({
      "POST /api/auth/register": refusal("VALIDATION_FAILED", "Please check", {
        errors: [{ path: "password", message }],
      }),
    });
    await page.fill(texts.name, "Ada Lovelace");
    await page.fill(texts.email, "ada@example.test");
    for (const label of [texts.password, texts.confirmPassword]) await page.fill(label, "Known-to-all-1815!");
    await page.shows("Password strength: Very Strong");
    await page.press(texts.createAccount);
    await page.shows(message);
    await page.shows("Password strength: Very Weak");
    await page.fill(texts.password, "Known-to-all-1816!");
    await page.shows("Password strength: Very Strong");
    await page.fill(texts.password, "Known-to-all-1815!");
    await page.shows("Password strength: Very Weak");
  });

  test("says once why a password will not do, also after the server's refusal", async () => {
    const message = authTexts.passwordPersonal;
    const page = await openRegister({
      "POST /api/auth/register": refusal("VALIDATION_FAILED", "Please check", {
        errors: [{ path: "password", message }],
      }),
    });
    await page.fill(texts.name, "Ada Lovelace");
    await page.fill(texts.email, "ada@example.test");
    for (const label of [texts.password, texts.confirmPassword]) await page.fill(label, "Lovelace1815!");
    await page.shows(message);
    await page.press(texts.createAccount);
    await page.focusIsAt(page.getByLabelText(texts.password));
    expect(page.getAllByText(message)).toHaveLength(1);
    await page.shows("Password strength: Very Weak");
  });
});

describe("a new account", () => {
  test("reads where the link was sent, and offers another email only as the second action", async () => {
    const page = await openRegister({
      "POST /api/auth/register": { success: true, message: authTexts.registered },
    });
    await page.fill(texts.name, " Bob Example ");
    await page.fill(texts.email, "bob@example.test");
    await page.fill(texts.password, "quite another one");
    await page.fill(texts.confirmPassword, "quite another one");
    await page.press(texts.createAccount);
    await page.isAt("/verify");
    await page.shows(texts.verifySent("bob@example.test"));
    expect(page.calls("POST /api/auth/register").map(({ body }) => body)).toEqual([
      { name: "Bob Example", email: "bob@example.test", password: "quite another one" },
    ]);
    expect(page.getByRole("button", { name: texts.sendVerification }).className).not.toContain("bg-primary");
    expect(page.value(texts.email)).toBe("bob@example.test");
  });
});

describe("another verification email", () => {
  const route = "POST /api/auth/resend-verification";

  test("is the first thing to do for who comes for it; its message closes with Close", async () => {
    const page = await open("/verify", { answers: { [route]: { message: authTexts.resent } } });
    expect(page.getByRole("button", { name: texts.sendVerification }).className).toContain("bg-primary");
    await page.fill(texts.email, "nobody@example.test");
    await page.press(texts.sendVerification);
    await page.shows(authTexts.resent);
    await page.press("Close");
    await page.hides(authTexts.resent);
  });
});

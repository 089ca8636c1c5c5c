import { describe, expect, test } from "bun:test";
import { authTexts, pageAuthTexts } from "#contract/auth-texts.ts";
import { errorTexts } from "#contract/errors.ts";
import { codeTexts } from "#ui/components/code-field.tsx";
import { passkeyScreenTexts } from "#ui/lib/passkeys.ts";
import { accountAnswers, people } from "#ui/testing/answers.ts";
import { withAuthenticator } from "#ui/testing/authenticator.ts";
import { type OpenPage, openPages, refusal } from "#ui/testing/pages.ts";
import { authScreenTexts as texts } from "./texts.ts";

const open = openPages();

const password = "POST /api/auth/login";
const route = "POST /api/auth/login/factor";
const begin = "POST /api/auth/login/factor/ceremony";
const begun = { data: { ceremony: "c1", options: { challenge: "AAAA" } } };

const wanted = (ways: string[]) =>
  refusal("SECOND_FACTOR_REQUIRED", errorTexts.SECOND_FACTOR_REQUIRED, { data: { ways } });
const bodies = (page: OpenPage) => page.calls(route).map(({ body }) => body);

/** The sign-in page after the right password. */
const reachStep = async ({ ways = ["code", "recovery"], query = "" } = {}) => {
  const page = await open(`/login${query}`, { answers: { ...accountAnswers(), [password]: wanted(ways) } });
  await page.fill("Email", "grace@example.test");
  await page.fill("Password", "whatever it is");
  await page.press("Sign In");
  await page.findByRole("heading", { name: texts.factor, level: 1 });
  return page;
};

describe("the second step of signing in", () => {
  test("takes a code, and leads to where the user wanted to go", async () => {
    const page = await reachStep({ query: "?from=%2Fabout" });
    const field = page.getByLabelText(codeTexts.label);
    await page.focusIsAt(field);
    expect([field.getAttribute("autocomplete"), field.getAttribute("inputmode")]).toEqual([
      "one-time-code",
      "numeric",
    ]);
    page.answer({ [route]: { user: people.user } });
    await page.keys("123 456{Enter}");
    await page.isAt("/about");
    expect(bodies(page)).toEqual([{ code: "123 456" }]);
  });

  test("says beside the field what is wrong with a code, and takes the next one", async () => {
    const page = await reachStep();
    await page.keys("{Enter}");
    await page.shows(pageAuthTexts.codeRequired);
    await page.keys("123 45{Enter}");
    await page.shows(pageAuthTexts.codeDigits);
    expect(page.calls(route)).toEqual([]);
    await page.fill(codeTexts.label, "");
    page.answer({ [route]: refusal("CODE_INVALID") });
    await page.keys("000000{Enter}");
    const field = page.getByLabelText(codeTexts.label);
    const complaint = await page.shows(errorTexts.CODE_INVALID);
    expect(field.getAttribute("aria-describedby")).toContain(complaint.id);
    await page.focusIsAt(field);
    page.answer({ [route]: { user: people.user } });
    await page.fill(codeTexts.label, "123456");
    await page.keys("{Enter}");
    await page.isAt("/dashboard");
  });

  test("takes a recovery code instead, and says when one is wrong", async () => {
    const page = await reachStep();
    await page.press(texts.useWay.recovery);
    await page.focusIsAt(page.getByLabelText(texts.recoveryCode));
    page.answer({ [route]: refusal("CODE_INVALID") });
    await page.keys("none of mine{Enter}");
    await page.shows(texts.recoveryCodeWrong);
    page.answer({ [route]: { user: people.user } });
    await page.fill(texts.recoveryCode, "q436-335n-mzd7-mng8");
    await page.keys("{Enter}");
    await page.isAt("/dashboard");
    expect(bodies(page).at(-1)).toEqual({ recoveryCode: "q436-335n-mzd7-mng8" });
  });

  test("offers no recovery code when none is left", async () => {
    const page = await reachStep({ ways: ["code"] });
    expect(page.offers("button", texts.useWay.recovery)).toBe(false);
  });

  test("says what the server refuses, such as after too many wrong codes", async () => {
    const page = await reachStep();
    const message = "Too many wrong codes. Please try again in 15 minutes.";
    page.answer({ [route]: refusal("RATE_LIMITED", message) });
    await page.keys("123456{Enter}");
    expect((await page.findByRole("alert")).textContent).toBe(message);
  });

  test("leads members without app and recovery codes to a message that is begun for them", async () => {
    const page = await reachStep();
    await page.follow(texts.factorHelp);
    await page.isAt("/contact");
    await page.findByLabelText("Subject");
    expect(["Subject", "Message"].map(page.value)).toEqual(["Support", texts.factorHelpMessage]);
  });

  test("that has expired leads back to the password and says so; the email address is still there", async () => {
    const page = await reachStep({ query: "?from=%2Fabout" });
    page.answer({ [route]: refusal("NOT_SIGNED_IN", authTexts.stepOver) });
    await page.keys("123456{Enter}");
    await page.shows(authTexts.stepOver);
    await page.isAt("/login?from=%2Fabout");
    expect([page.value("Email"), page.value("Password")]).toEqual(["grace@example.test", ""]);
  });

  test("leads back to the password when asked to, and is found again after a reload", async () => {
    const page = await reachStep({ query: "?from=%2Fabout" });
    await page.reload();
    await page.findByLabelText(codeTexts.label);
    await page.follow(texts.backToSignIn);
    await page.isAt("/login?from=%2Fabout");
    await page.findByLabelText("Password");
  });

  test("begins with a passkey where the account has one, and leads to the other ways", async () => {
    const device = withAuthenticator();
    const page = await reachStep({ ways: ["passkey", "code", "recovery"] });
    page.answer({ [begin]: begun, [route]: { user: people.user } });
    await page.press(texts.continueWithPasskey);
    await page.shows(passkeyScreenTexts.waiting);
    await page.press(passkeyScreenTexts.cancel);
    await page.until(() => expect(page.has(passkeyScreenTexts.waiting)).toBe(false));
    await page.press(texts.useWay.code);
    await page.focusIsAt(page.getByLabelText(codeTexts.label));
    await page.press(texts.useWay.passkey);
    await page.press(texts.continueWithPasskey);
    await page.shows(passkeyScreenTexts.waiting);
    device.answers();
    await page.isAt("/dashboard");
    expect(bodies(page)).toEqual([{ ceremony: "c1", response: device.answer }]);
  });

  test("has expired when the challenge can't be had anymore", async () => {
    withAuthenticator();
    const page = await reachStep({ ways: ["passkey", "recovery"] });
    page.answer({ [begin]: refusal("NOT_SIGNED_IN", authTexts.stepOver) });
    await page.press(texts.continueWithPasskey);
    await page.shows(authTexts.stepOver);
    await page.isAt("/login");
  });

  test("leaves passkeys out where the browser can't use them", async () => {
    const page = await reachStep({ ways: ["passkey", "recovery"] });
    await page.findByLabelText(texts.recoveryCode);
    expect(page.offers("button", texts.useWay.passkey)).toBe(false);
  });

  test("comes first for users whom a provider sends back", async () => {
    const page = await open("/login?step=factor&from=%2Fabout", {
      answers: { [route]: { user: people.user } },
    });
    await page.focusIsAt(page.getByLabelText(codeTexts.label));
    await page.keys("123456{Enter}");
    await page.isAt("/about");
  });

  test("comes first also where someone else is signed in already", async () => {
    const page = await open("/login?step=factor&from=%2Fabout", {
      as: "admin",
      answers: { [route]: { user: people.user } },
    });
    await page.focusIsAt(page.getByLabelText(codeTexts.label));
    await page.keys("123456{Enter}");
    await page.isAt("/about");
  });
});

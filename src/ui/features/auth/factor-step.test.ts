import { describe, expect, test } from "bun:test";
import { authTexts } from "#contract/auth-texts.ts";
import { errorTexts } from "#contract/errors.ts";
import { codeTexts } from "#ui/components/code-field.tsx";
import { accountAnswers, people } from "#ui/testing/answers.ts";
import { type OpenPage, openPages, refusal } from "#ui/testing/pages.ts";
import { authScreenTexts as texts } from "./texts.ts";

const open = openPages();

const password = "POST /api/auth/login";
const route = "POST /api/auth/login/factor";

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
    await page.shows(codeTexts.missing);
    expect(page.calls(route)).toEqual([]);
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
    await page.press(texts.useRecoveryCode);
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
    expect(page.offers("button", texts.useRecoveryCode)).toBe(false);
  });

  test("says what the server refuses, such as after too many wrong codes", async () => {
    const page = await reachStep();
    const message = "Too many wrong codes. Please try again in 15 minutes.";
    page.answer({ [route]: refusal("RATE_LIMITED", message) });
    await page.keys("123456{Enter}");
    expect((await page.findByRole("alert")).textContent).toBe(message);
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

  test("comes first for users whom a provider sends back", async () => {
    const page = await open("/login?step=factor&from=%2Fabout", {
      answers: { [route]: { user: people.user } },
    });
    await page.focusIsAt(page.getByLabelText(codeTexts.label));
    await page.keys("123456{Enter}");
    await page.isAt("/about");
  });
});

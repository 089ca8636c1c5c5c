import { describe, expect, spyOn, test } from "bun:test";
import { accountTexts, factorTexts } from "#contract/auth-texts.ts";
import { errorTexts } from "#contract/errors.ts";
import type { ProofWanted } from "#contract/proof.ts";
import { factorScreenTexts } from "#ui/features/account/texts.ts";
import { notConfirmedText } from "#ui/lib/api.ts";
import { passkeyScreenTexts } from "#ui/lib/passkeys.ts";
import { accountAnswers, someFactors } from "#ui/testing/answers.ts";
import { withAuthenticator } from "#ui/testing/authenticator.ts";
import { type OpenPage, openPages, refusal } from "#ui/testing/pages.ts";
import { codeTexts } from "./code-field.tsx";
import { proofTexts } from "./proof-dialog.tsx";

const open = openPages();

const remove = "DELETE /api/account/totp";
const confirm = "POST /api/account/confirm";
const begin = "POST /api/account/confirm/ceremony";
const on = someFactors({ totp: { enabledAt: "2026-10-01T12:00:00.000Z" }, recoveryCodesLeft: 10 });

const refused = (data: ProofWanted) =>
  refusal("REAUTHENTICATION_REQUIRED", accountTexts.codeWanted, { data });
const byFactor = refused({ wanted: "factor", ways: ["code"] });
const byEither = refused({ wanted: "recent", ways: ["code", "password"] });

/** Has the question put, by turning two-factor authentication off. */
const ask = async (refusal: Response) => {
  const page = await open("/account/security", {
    as: "user",
    answers: { ...accountAnswers(), "GET /api/account/second-factors": { data: on }, [remove]: refusal },
  });
  await page.press(factorScreenTexts.turnOff);
  await page.findByRole("dialog", { name: factorScreenTexts.turnOffTitle });
  await page.press(factorScreenTexts.turnOff);
  await page.findByRole("dialog", { name: proofTexts.title });
  return page;
};
const agreeThen = (page: OpenPage, answer: object) =>
  page.answer({
    [confirm]: () => {
      page.answer({ [remove]: answer });
      return { message: accountTexts.confirmed };
    },
  });
const bodies = (page: OpenPage) => page.calls(confirm).map(({ body }) => body);

describe("the question that confirms who is there", () => {
  test("asks for a code where the second factor is needed, and repeats the request", async () => {
    const page = await ask(byFactor);
    await page.shows(proofTexts.factorLead);
    expect(page.offers("button", proofTexts.use.password)).toBe(false);
    const errors = [{ path: "code", message: errorTexts.CODE_INVALID }];
    page.answer({ [confirm]: refusal("VALIDATION_FAILED", "Please check", { errors }) });
    await page.fill(codeTexts.label, "000000");
    await page.keys("{Enter}");
    await page.shows(errorTexts.CODE_INVALID);
    await page.focusIsAt(page.getByLabelText(codeTexts.label));
    agreeThen(page, { message: factorTexts.removed });
    await page.fill(codeTexts.label, "123456");
    await page.keys("{Enter}");
    await page.shows(factorTexts.removed);
    await page.until(() => expect(page.offers("dialog")).toBe(false));
    expect(bodies(page).at(-1)).toEqual({ code: "123456" });
  });

  test("takes the code or the password where a recent sign-in is needed", async () => {
    const page = await ask(byEither);
    await page.press(proofTexts.use.password);
    await page.findByLabelText(proofTexts.password);
    await page.press(proofTexts.use.code);
    await page.findByLabelText(codeTexts.label);
    await page.press(proofTexts.use.password);
    agreeThen(page, { message: factorTexts.removed });
    await page.fill(proofTexts.password, "my password");
    await page.keys("{Enter}");
    await page.shows(factorTexts.removed);
    expect(bodies(page)).toEqual([{ password: "my password" }]);
  });

  test("continues with the code when the password was not enough", async () => {
    const page = await ask(byEither);
    await page.press(proofTexts.use.password);
    agreeThen(page, byFactor);
    await page.fill(proofTexts.password, "my password");
    await page.keys("{Enter}");
    await page.shows(proofTexts.factorLead);
    agreeThen(page, { message: factorTexts.removed });
    await page.fill(codeTexts.label, "123456");
    await page.keys("{Enter}");
    await page.shows(factorTexts.removed);
    expect(bodies(page)).toEqual([{ password: "my password" }, { code: "123456" }]);
  });

  test("takes a passkey first, or a code instead", async () => {
    const device = withAuthenticator();
    const page = await ask(refused({ wanted: "factor", ways: ["passkey", "code"] }));
    page.answer({ [begin]: { data: { ceremony: "c1", options: { challenge: "AAAA" } } } });
    await page.press(proofTexts.use.code);
    await page.findByLabelText(codeTexts.label);
    await page.press(proofTexts.use.passkey);
    await page.press(proofTexts.continueWithPasskey);
    await page.shows(passkeyScreenTexts.waiting);
    device.fails("NotAllowedError");
    await page.shows(passkeyScreenTexts.notAllowed);
    agreeThen(page, { message: factorTexts.removed });
    await page.press(proofTexts.continueWithPasskey);
    await page.shows(passkeyScreenTexts.waiting);
    device.answers();
    await page.shows(factorTexts.removed);
    expect(bodies(page)).toEqual([{ ceremony: "c1", response: device.answer }]);
  });

  test("leads to another sign-in where the browser can't use the passkey", async () => {
    const page = await ask(refused({ wanted: "factor", ways: ["passkey"] }));
    await page.shows(proofTexts.passkeyElsewhere);
    expect(page.offers("button", proofTexts.signInAgain)).toBe(true);
    await page.press(proofTexts.cancel);
    await page.until(() => expect(page.offers("dialog", proofTexts.title)).toBe(false));
  });

  test("leads to a linked provider, and to another sign-in where that can't confirm", async () => {
    const page = await ask(refused({ wanted: "recent", ways: ["acme"] }));
    const offered = [
      { id: "acme", label: "Acme", kind: "oidc" },
      { id: "github", label: "GitHub", kind: "github" },
    ];
    page.answer({
      "GET /api/auth/providers": { data: { google: false, github: true, providers: offered } },
      "POST /api/account/confirm/provider": { data: { url: "https://id.example" } },
    });
    const assign = spyOn(window.location, "assign").mockImplementation(() => {});
    await page.press(proofTexts.continueWith("Acme"));
    await page.until(() => expect(assign).toHaveBeenCalledWith("https://id.example"));
    assign.mockRestore();
    const [call] = page.calls("POST /api/account/confirm/provider");
    expect(call?.body).toEqual({ provider: "acme", returnTo: "/account/security" });
    expect(page.offers("button", proofTexts.continueWith("GitHub"))).toBe(false);
    await page.press(proofTexts.use.again);
    expect(page.offers("button", proofTexts.signInAgain)).toBe(true);
    await page.press(proofTexts.cancel);
    await page.until(() => expect(page.offers("dialog", proofTexts.title)).toBe(false));
  });

  test("changes nothing when it is closed", async () => {
    const page = await ask(byFactor);
    await page.keys("{Escape}");
    await page.shows(notConfirmedText);
    expect([page.calls(confirm).length, page.calls(remove).length]).toEqual([0, 1]);
  });
});

import { describe, expect, test } from "bun:test";
import { passkeyTexts } from "#contract/passkeys.ts";
import { passkeyScreenTexts } from "#ui/lib/passkeys.ts";
import { accountAnswers, people } from "#ui/testing/answers.ts";
import { withAuthenticator } from "#ui/testing/authenticator.ts";
import { openPages, refusal } from "#ui/testing/pages.ts";
import type { Answer } from "#ui/testing/scripted-api.ts";
import { authScreenTexts as texts } from "./texts.ts";

const open = openPages();

const begin = "POST /api/auth/passkey/ceremony";
const route = "POST /api/auth/passkey";
const begun = { data: { ceremony: "c1", options: { challenge: "AAAA" } } };

const openLogin = (answer: Answer = { user: people.user }) =>
  open("/login?from=%2Fabout", { answers: { ...accountAnswers(), [begin]: begun, [route]: answer } });

describe("the button for passkeys", () => {
  test("signs in without email and password, and leads to where the user wanted to go", async () => {
    const device = withAuthenticator();
    const page = await openLogin();
    await page.press(texts.signInWithPasskey);
    await page.shows(passkeyScreenTexts.waiting);
    device.answers();
    await page.isAt("/about");
    expect(page.calls(route).map(({ body }) => body)).toEqual([{ ceremony: "c1", response: device.answer }]);
  });

  test("says what the server refuses, and takes another try; a wait can be canceled", async () => {
    const device = withAuthenticator();
    const page = await openLogin(refusal("PASSKEY_REFUSED", passkeyTexts.unknown));
    await page.press(texts.signInWithPasskey);
    await page.shows(passkeyScreenTexts.waiting);
    device.answers();
    await page.shows(passkeyTexts.unknown);
    await page.press(texts.signInWithPasskey);
    await page.press(passkeyScreenTexts.cancel);
    await page.until(() => expect(page.has(passkeyScreenTexts.waiting)).toBe(false));
    expect(page.offers("alert")).toBe(false);
  });

  test("is missing where the browser has no passkeys", async () => {
    const page = await open("/login");
    await page.findByRole("button", { name: "Sign In" });
    expect(page.offers("button", texts.signInWithPasskey)).toBe(false);
  });
});

describe("the email field", () => {
  test("offers passkeys where the browser can; one that is chosen signs in", async () => {
    const device = withAuthenticator({ offersInFields: true });
    const page = await openLogin();
    expect(page.getByLabelText("Email").getAttribute("autocomplete")).toBe("username webauthn");
    await page.until(() => expect(page.calls(begin)).toHaveLength(1));
    await page.until(() => expect(device.asked).toEqual(["conditional"]));
    device.answers();
    await page.isAt("/about");
  });

  test("stops to when the button is pressed, and offers them again after it was canceled or the server refused one", async () => {
    const device = withAuthenticator({ offersInFields: true });
    const page = await openLogin(refusal("PASSKEY_REFUSED", passkeyTexts.unknown));
    await page.until(() => expect(device.asked).toHaveLength(1));
    await page.press(texts.signInWithPasskey);
    await page.until(() => expect(device.asked).toEqual(["conditional", "optional"]));
    expect(device.aborted).toBe(1);
    await page.press(passkeyScreenTexts.cancel);
    await page.until(() => expect(device.asked).toEqual(["conditional", "optional", "conditional"]));
    device.answers();
    await page.shows(passkeyTexts.unknown);
    await page.until(() => expect(device.asked).toHaveLength(4));
  });
});

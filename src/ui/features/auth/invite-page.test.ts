import { describe, expect, test } from "bun:test";
import type { OpenInvitation } from "#api/modules/invitations/contract.ts";
import { emailChangeTexts, invitationTexts, linkUndoTexts, pageAuthTexts } from "#contract/auth-texts.ts";
import { passkeyTexts } from "#contract/passkeys.ts";
import { recoveryCodesTexts } from "#ui/components/recovery-codes.tsx";
import { passkeyScreenTexts } from "#ui/lib/passkeys.ts";
import { accountAnswers, anAccount, people } from "#ui/testing/answers.ts";
import { withAuthenticator } from "#ui/testing/authenticator.ts";
import { openPages, refusal } from "#ui/testing/pages.ts";
import type { Answers } from "#ui/testing/scripted-api.ts";
import { authScreenTexts, emailChangeScreenTexts, unlinkScreenTexts } from "./texts.ts";

const open = openPages();

const good = "quite another long password";
const noList = { "GET /texts/common-passwords.txt": new Response("password1") };

const link = "/api/auth/invitations/secret";
const accept = `POST ${link}`;
const begin = "POST /api/auth/passkey/ceremony/secret";
const recoveryCodes = ["q436-335n-mzd7-mng8", "1111-2222-3333-4444"];

const openInvitation = async (change: Partial<OpenInvitation> = {}, answers: Answers = {}) => {
  const data: OpenInvitation = {
    ...{ email: "grace@example.test", name: "Grace", role: "user", invitedBy: "Ada" },
    ...{ expiresAt: "2026-12-07T09:00:00Z", isPasskeyOffered: true },
    ...{ needsSecondFactor: false, suggestsSecondFactor: false },
    ...change,
  };
  const accepted = { message: invitationTexts.accepted, user: people.user };
  const page = await open("/invite?token=secret", {
    answers: {
      ...{ ...noList, ...accountAnswers(anAccount()) },
      [`GET ${link}`]: { data },
      [begin]: { data: { ceremony: "c1", options: { challenge: "AAAA" } } },
      [accept]: { ...accepted, recoveryCodes: null },
      ...answers,
    },
  });
  await page.shows(authScreenTexts.invitedBy("Ada", "Atrium"));
  return page;
};

test("the page of an invitation says who sent it, creates the account and leads to the dashboard", async () => {
  const page = await openInvitation();
  expect(page.value(authScreenTexts.name)).toBe("Grace");
  await page.fill(authScreenTexts.password, good);
  await page.fill(authScreenTexts.confirmPassword, good);
  await page.press(authScreenTexts.finishAccount);
  await page.isAt("/dashboard");
  expect(page.calls(accept).map(({ body }) => body)).toEqual([{ name: "Grace", password: good }]);
});

const providers = "GET /api/auth/providers";
const offering = (...ids: string[]) => ({
  [providers]: {
    data: {
      providers: ids.map((id) => ({ id, label: id, kind: id })),
      registration: { policy: "open", notice: null },
    },
  },
});

test("the page of an invitation offers the providers that are configured, and no others", async () => {
  const page = await openInvitation({}, offering("github"));
  await page.findByRole("link", { name: "GitHub" });
  expect(page.offers("button", "Google")).toBe(false);
  expect(page.has(authScreenTexts.socialReady)).toBe(true);
});

test("the page of an invitation says nothing of providers where none is configured", async () => {
  const page = await openInvitation({}, offering());
  await page.until(() => expect(page.calls(providers).length).toBe(1));
  expect(page.has(authScreenTexts.socialLabel)).toBe(false);
});

describe("an invitation that is accepted with a passkey", () => {
  test("needs a name and no password, and shows the recovery codes before it leads on", async () => {
    const device = withAuthenticator();
    const page = await openInvitation({ name: null });
    await page.press(authScreenTexts.invitePasskey);
    await page.shows(pageAuthTexts.nameRequired);
    expect(page.calls(begin)).toEqual([]);
    await page.fill(authScreenTexts.name, "Grace");
    await page.press(authScreenTexts.invitePasskey);
    await page.shows(passkeyScreenTexts.waiting);
    page.answer({ [accept]: { message: invitationTexts.accepted, user: people.user, recoveryCodes } });
    device.answers();
    await page.findByRole("dialog", { name: recoveryCodesTexts.newCodesTitle });
    expect(page.calls(accept).map(({ body }) => body)).toEqual([
      { name: "Grace", ceremony: "c1", response: device.answer },
    ]);
    await page.click(page.getByLabelText(recoveryCodesTexts.stored));
    await page.press(recoveryCodesTexts.done);
    await page.isAt("/dashboard");
  });

  test("is offered again after a refusal or when the device is canceled, with all that was typed", async () => {
    const device = withAuthenticator();
    const page = await openInvitation({}, { [accept]: refusal("PASSKEY_REFUSED", passkeyTexts.expired) });
    await page.fill(authScreenTexts.password, good);
    await page.press(authScreenTexts.invitePasskey);
    await page.shows(passkeyScreenTexts.waiting);
    device.answers();
    await page.shows(passkeyTexts.expired);
    await page.press(authScreenTexts.invitePasskey);
    await page.shows(passkeyScreenTexts.waiting);
    await page.press(passkeyScreenTexts.cancel);
    await page.hides(passkeyScreenTexts.waiting);
    expect([page.value(authScreenTexts.name), page.value(authScreenTexts.password)]).toEqual(["Grace", good]);
  });

  for (const who of ["server", "browser"])
    test(`is not offered where the ${who} can't`, async () => {
      if (who === "server") withAuthenticator();
      const page = await openInvitation({ isPasskeyOffered: who === "browser" });
      expect(page.offers("button", authScreenTexts.invitePasskey)).toBe(false);
    });
});

test("an administrator who needs a second factor is told so, and led to set one up after choosing a password", async () => {
  const page = await openInvitation({ role: "admin", needsSecondFactor: true });
  await page.shows(authScreenTexts.inviteFactor);
  await page.fill(authScreenTexts.password, good);
  await page.fill(authScreenTexts.confirmPassword, good);
  await page.press(authScreenTexts.finishAccount);
  await page.isAt("/account/security");
});

for (const [button, path] of [
  [authScreenTexts.inviteSetUp, "/account/security"],
  [authScreenTexts.notNow, "/admin"],
] as const)
  test(`an administrator who may have a second factor is led to it after choosing a password: ${button}`, async () => {
    const user = people.admin;
    const accepted = { message: invitationTexts.accepted, user, recoveryCodes: null };
    const offer = { role: "admin", suggestsSecondFactor: true } as const;
    const page = await openInvitation(offer, { [accept]: accepted });
    await page.fill(authScreenTexts.password, good);
    await page.fill(authScreenTexts.confirmPassword, good);
    await page.press(authScreenTexts.finishAccount);
    await page.press(button);
    await page.isAt(path);
  });

test("a link that no longer works says so in place of the form", async () => {
  const check = "GET /api/auth/invitations/secret";
  const page = await open("/invite?token=secret", {
    answers: { ...noList, [check]: refusal("TOKEN_INVALID", invitationTexts.invalid) },
  });
  await page.shows(invitationTexts.invalid);
});

for (const next of ["a notice", "a new password"])
  test(`the page of the email about a linked provider does nothing until it is told to, and leads to ${next}`, async () => {
    const link = "/api/auth/unlink-provider/secret";
    const isNotice = next === "a notice";
    const page = await open("/unlink?token=secret", {
      answers: {
        ...noList,
        [`GET ${link}`]: { data: { provider: "Acme" } },
        [`POST ${link}`]: { message: linkUndoTexts.done, data: isNotice ? {} : { resetToken: "next" } },
        "GET /api/auth/user": refusal("NOT_SIGNED_IN"),
        "GET /api/auth/reset-password/next": { data: { waysIn: [] } },
      },
    });
    await page.shows(unlinkScreenTexts.ask("Acme"));
    expect(page.calls(`POST ${link}`)).toEqual([]);
    await page.press(unlinkScreenTexts.act("Acme"));
    if (isNotice) await page.shows(linkUndoTexts.done);
    else await page.isAt("/reset-password");
    expect(page.calls(`POST ${link}`)).toHaveLength(1);
  });

test("the page of a change of address does nothing until it is told to, and an undo leads to a new password", async () => {
  const link = "/api/auth/email-change/secret";
  const page = await open("/email-change?token=secret", {
    answers: {
      ...noList,
      [`GET ${link}`]: { data: { acts: ["undo"], oldEmail: "a@b.example", newEmail: "x@y.example" } },
      [`POST ${link}`]: {
        message: emailChangeTexts.outcomes.undone,
        data: { state: "undone", resetToken: "next" },
      },
      "GET /api/auth/user": refusal("NOT_SIGNED_IN"),
      "GET /api/auth/reset-password/next": { data: { waysIn: [] } },
    },
  });
  await page.shows(emailChangeScreenTexts.was("a@b.example", "x@y.example"));
  expect(page.calls(`POST ${link}`)).toEqual([]);
  await page.press(emailChangeScreenTexts.acts.undo);
  await page.isAt("/reset-password");
  expect(page.calls(`POST ${link}`).map(({ body }) => body)).toEqual([{ act: "undo" }]);
});

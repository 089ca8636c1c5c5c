import { describe, expect, test } from "bun:test";
import { errorTexts } from "#contract/errors.ts";
import { passkeyTexts } from "#contract/passkeys.ts";
import { recoveryCodesTexts } from "#ui/components/recovery-codes.tsx";
import { passkeyScreenTexts } from "#ui/lib/passkeys.ts";
import { accountAnswers, aPasskey, passkeysOf } from "#ui/testing/answers.ts";
import { withAuthenticator } from "#ui/testing/authenticator.ts";
import { type OpenPage, openPages, refusal } from "#ui/testing/pages.ts";
import type { Answers } from "#ui/testing/scripted-api.ts";
import { passkeysTexts as texts } from "./passkeys-texts.ts";

const open = openPages();

const get = "GET /api/account/passkeys";
const begin = "POST /api/account/passkeys/ceremony";
const add = "POST /api/account/passkeys";
const rename = "PATCH /api/account/passkeys/p1";
const remove = "DELETE /api/account/passkeys/p1";

const begun = { data: { ceremony: "c1", options: { challenge: "AAAA" } } };
const openCard = async (answers: Answers = {}) => {
  const page = await open("/account/security", { as: "user", answers: { ...accountAnswers(), ...answers } });
  await page.findByRole("heading", { name: texts.title });
  await page.until(() =>
    expect(
      page.offers("button", texts.add) || page.has(texts.unsupported) || page.has(texts.notOffered),
    ).toBe(true),
  );
  return page;
};
const openDialog = async (answers: Answers = {}) => {
  const page = await openCard({ [begin]: begun, ...answers });
  await page.press(texts.add);
  await page.findByRole("dialog", { name: texts.addTitle });
  return page;
};
const isClosed = (page: OpenPage) => page.until(() => expect(page.offers("dialog")).toBe(false));

describe("adding a passkey", () => {
  test("asks for a name, which this browser's is until another is typed, and shows the recovery codes of the first factor", async () => {
    const device = withAuthenticator();
    const page = await openDialog({
      [add]: { data: { passkey: aPasskey(), recoveryCodes: ["q436-335n-mzd7-mng8"] } },
    });
    expect(page.value(texts.name)).toBe("Firefox on Linux");
    await page.fill(texts.name, " ");
    await page.keys("{Enter}");
    await page.shows(passkeyTexts.nameRequired);
    await page.fill(texts.name, "Laptop");
    await page.keys("{Enter}");
    await page.shows(passkeyScreenTexts.waiting);
    page.answer({ [get]: passkeysOf(aPasskey()) });
    device.answers();
    await page.findByRole("dialog", { name: recoveryCodesTexts.newCodesTitle });
    expect(page.calls(add).map(({ body }) => body)).toEqual([
      { ceremony: "c1", name: "Laptop", response: device.answer },
    ]);
    await page.click(page.getByLabelText(recoveryCodesTexts.stored));
    await page.press(recoveryCodesTexts.done);
    await isClosed(page);
    await page.shows("Laptop");
  });

  for (const [name, text] of [
    ["InvalidStateError", passkeyScreenTexts.exists],
    ["NotAllowedError", passkeyScreenTexts.notAllowed],
    ["SecurityError", passkeyScreenTexts.wrongAddress],
    ["ConstraintError", texts.addFailed],
  ] as const)
    test(`says what to do after the browser's ${name}, and can be tried again`, async () => {
      const device = withAuthenticator();
      const page = await openDialog({ [add]: { data: { passkey: aPasskey(), recoveryCodes: null } } });
      await page.keys("{Enter}");
      await page.shows(passkeyScreenTexts.waiting);
      device.fails(name);
      await page.shows(text);
      await page.press(texts.continue);
      await page.shows(passkeyScreenTexts.waiting);
      device.answers();
      await page.shows(texts.addDone);
      await isClosed(page);
    });

  test("is given up after two minutes without an answer, and ends when it is canceled", async () => {
    withAuthenticator();
    const page = await openDialog();
    await page.keys("{Enter}");
    await page.shows(passkeyScreenTexts.waiting);
    await page.passTime(120_000);
    await page.shows(passkeyScreenTexts.noAnswer);
    await page.press(texts.continue);
    await page.shows(passkeyScreenTexts.waiting);
    await page.press(passkeyScreenTexts.cancel);
    await isClosed(page);
    await page.focusIsAt(page.getByRole("button", { name: texts.add }));
    expect(page.calls(add)).toEqual([]);
  });

  test("says what the server refuses", async () => {
    const device = withAuthenticator();
    const page = await openDialog({ [add]: refusal("PASSKEY_REFUSED") });
    await page.keys("{Enter}");
    await page.shows(passkeyScreenTexts.waiting);
    device.answers();
    await page.shows(errorTexts.PASSKEY_REFUSED);
  });

  test("is not offered where the server has none, or the browser can't", async () => {
    const page = await openCard();
    await page.shows(texts.unsupported);
    withAuthenticator();
    page.answer({ [get]: { data: { ...passkeysOf().data, isOffered: false } } });
    await page.reload();
    await page.shows(texts.notOffered);
    expect(page.offers("button", texts.add)).toBe(false);
  });
});

describe("a passkey in the list", () => {
  test("says where it is, when it was used, and whether it works here", async () => {
    const page = await openCard({
      [get]: passkeysOf(
        aPasskey({ lastUsedAt: "2026-10-02T10:00:00.000Z" }),
        aPasskey({ id: "p2", name: "Key", isSynced: false, host: "old.example", worksHere: false }),
        aPasskey({ id: "p3", name: "Copy", isBlocked: true }),
      ),
    });
    for (const text of [texts.synced, texts.oneDevice, texts.blocked]) await page.shows(text);
    await page.shows(/last used October 2, 2026/);
    await page.shows(new RegExp(texts.elsewhere("old.example")));
  });

  test("gets another name", async () => {
    const page = await openCard({
      [get]: passkeysOf(aPasskey()),
      [rename]: { message: passkeyTexts.renamed },
    });
    await page.press(texts.renameName("Laptop"));
    await page.findByRole("dialog", { name: texts.renameTitle });
    await page.fill(texts.name, "Work laptop");
    page.answer({ [get]: passkeysOf(aPasskey({ name: "Work laptop" })) });
    await page.keys("{Enter}");
    await page.shows(passkeyTexts.renamed);
    await page.findByRole("button", { name: texts.renameName("Work laptop") });
    expect(page.calls(rename).map(({ body }) => body)).toEqual([{ name: "Work laptop" }]);
  });

  test("is removed after a question; the authenticator is told, and the focus stays in the card", async () => {
    const device = withAuthenticator();
    const page = await openCard({
      [get]: passkeysOf(aPasskey()),
      [remove]: { message: passkeyTexts.removed },
    });
    await page.press(texts.removeName("Laptop"));
    await page.findByRole("dialog", { name: texts.removeTitle("Laptop") });
    page.answer({ [get]: passkeysOf() });
    await page.press(texts.removeConfirm);
    await page.shows(passkeyTexts.removed);
    await page.until(() => expect(page.offers("button", texts.removeName("Laptop"))).toBe(false));
    expect(document.activeElement?.contains(page.getByRole("button", { name: texts.add }))).toBe(true);
    expect(device.forgotten).toEqual([{ rpId: "localhost", credentialId: "AAAA" }]);
  });
});

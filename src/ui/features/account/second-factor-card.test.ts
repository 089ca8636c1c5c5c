import { describe, expect, spyOn, test } from "bun:test";
import { factorTexts } from "#contract/auth-texts.ts";
import { errorTexts } from "#contract/errors.ts";
import { codeTexts } from "#ui/components/code-field.tsx";
import { recoveryCodesTexts } from "#ui/components/recovery-codes.tsx";
import { copyTexts } from "#ui/lib/copy-text.ts";
import { accountAnswers, people, someFactors } from "#ui/testing/answers.ts";
import { type OpenPage, openPages, refusal } from "#ui/testing/pages.ts";
import type { Answers } from "#ui/testing/scripted-api.ts";
import { accountScreenTexts, factorScreenTexts } from "./texts.ts";

const texts = { ...factorScreenTexts, ...recoveryCodesTexts };

const open = openPages();

const get = "GET /api/account/second-factors";
const begin = "POST /api/account/totp";
const verify = "POST /api/account/totp/verify";
const enable = "POST /api/account/totp/enable";
const remove = "DELETE /api/account/totp";
const renew = "POST /api/account/recovery-codes";

const secret = "JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP";
const setup = { secret, uri: "otpauth://totp/x", qr: { size: 3, path: "M0 0h1v1h-1zM2 2h1v1h-1z" } };
const recoveryCodes = Array.from({ length: 10 }, (_, index) => `q436-335n-mzd7-mng${index}`);
const enabledAt = "2026-10-01T12:00:00.000Z";
const on = (recoveryCodesLeft = 10) => ({
  [get]: { data: someFactors({ totp: { enabledAt }, recoveryCodesLeft }) },
});

const openCard = async (answers: Answers = {}) => {
  const page = await open("/account/security", { as: "user", answers: { ...accountAnswers(), ...answers } });
  await page.findByRole("list", { name: texts.title });
  return page;
};
const isDisabled = (page: OpenPage, name: string) =>
  page.getByRole<HTMLButtonElement>("button", { name }).disabled;
const dialogIs = (page: OpenPage, name: string) => page.findByRole("dialog", { name });

/** What the browser is handed as a download: its name and text. */
const downloads = async (act: () => Promise<void>): Promise<[name: string, text: string][]> => {
  const blobs: Blob[] = [];
  const names: string[] = [];
  const make = spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    if (blob instanceof Blob) blobs.push(blob);
    return "blob:codes";
  });
  const click = spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });
  await act();
  make.mockRestore();
  click.mockRestore();
  return Promise.all(
    blobs.map(async (blob, index): Promise<[string, string]> => [names[index] ?? "", await blob.text()]),
  );
};

describe("two-factor authentication that is off", () => {
  const reachCodes = async () => {
    const page = await openCard({ [begin]: { data: setup }, [verify]: { data: { recoveryCodes } } });
    await page.press(texts.setUp);
    await page.fill(codeTexts.label, "123 456");
    await page.keys("{Enter}");
    await dialogIs(page, texts.storeTitle);
    return page;
  };

  test("is set up with the key as a QR code or text, a code, and recovery codes that must be stored first", async () => {
    const page = await openCard({ [begin]: { data: setup } });
    await page.shows(texts.appOff);
    await page.press(texts.setUp);
    await dialogIs(page, texts.setUpTitle);
    await page.focusIsAt(page.getByLabelText(codeTexts.label));
    const qr = page.getByRole("img", { name: texts.qr });
    expect([qr.getAttribute("viewBox"), qr.querySelector("path")?.getAttribute("d")]).toEqual([
      "0 0 3 3",
      setup.qr.path,
    ]);
    page.getByText(secret);
    await page.press(texts.copyKey);
    expect(await navigator.clipboard.readText()).toBe(secret.replaceAll(" ", ""));
    const errors = [{ path: "code", message: errorTexts.CODE_INVALID }];
    page.answer({ [verify]: refusal("VALIDATION_FAILED", "Please check", { errors }) });
    await page.fill(codeTexts.label, "000000");
    await page.keys("{Enter}");
    await page.shows(errorTexts.CODE_INVALID);
    await page.focusIsAt(page.getByLabelText(codeTexts.label));
    page.answer({ [verify]: { data: { recoveryCodes } } });
    await page.fill(codeTexts.label, "123456");
    await page.keys("{Enter}");
    await dialogIs(page, texts.storeTitle);
    expect(isDisabled(page, texts.turnOn)).toBe(true);
    await page.click(page.getByLabelText(texts.stored));
    expect(page.calls(enable)).toEqual([]);
    page.answer({ [enable]: { message: factorTexts.enabled }, ...on() });
    await page.press(texts.turnOn);
    await page.shows(factorTexts.enabled);
    await page.findByRole("button", { name: texts.turnOff });
    await page.focusIsAt(page.getByRole("list", { name: texts.title }));
  });

  test("shows its recovery codes to be copied, downloaded and printed", async () => {
    const page = await reachCodes();
    const list = await page.inside("list", texts.codes);
    expect(list.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(recoveryCodes);
    await page.focusIsAt(page.getByRole("button", { name: texts.copy }));
    await page.keys("{Enter}");
    await page.shows(copyTexts.copied);
    expect(await navigator.clipboard.readText()).toBe(recoveryCodes.join("\n"));
    const [file, ...others] = await downloads(() => page.press(texts.download));
    expect(others).toEqual([]);
    expect(file?.[0]).toBe("recovery-codes.txt");
    for (const part of [people.user.email, ...recoveryCodes]) expect(file?.[1]).toContain(part);
    let printed = 0;
    Object.assign(window, { print: () => (printed += 1) });
    await page.press(texts.print);
    expect(printed).toBe(1);
  });

  for (const [way, leave] of [
    ["Escape", (page: OpenPage) => page.keys("{Escape}")],
    ["Cancel", (page: OpenPage) => page.press(texts.cancel)],
  ] as const) {
    test(`stays off when its setup is left by ${way}, which is said`, async () => {
      const page = await reachCodes();
      await leave(page);
      await page.shows(texts.notTurnedOn);
      await page.until(() => expect(page.offers("dialog")).toBe(false));
      await page.focusIsAt(page.getByRole("button", { name: texts.setUp }));
      expect(page.calls(enable)).toEqual([]);
    });
  }

  test("says when the setup has expired, and when it could not begin", async () => {
    const page = await openCard({ [begin]: refusal("DB_UNAVAILABLE") });
    await page.press(texts.setUp);
    await page.shows(errorTexts.DB_UNAVAILABLE);
    page.answer({ [begin]: { data: setup }, [verify]: refusal("CONFLICT", factorTexts.setupExpired) });
    await page.press(texts.setUp);
    await page.fill(codeTexts.label, "123456");
    await page.keys("{Enter}");
    await page.shows(factorTexts.setupExpired);
    expect(page.has(errorTexts.DB_UNAVAILABLE)).toBe(false);
  });
});

describe("two-factor authentication that is on", () => {
  test("says since when and how many recovery codes are left, and warns from three on down", async () => {
    const page = await openCard(on(4));
    await page.shows(texts.appOn("October 1, 2026"));
    await page.shows(texts.codesDetail(4));
    expect([page.offers("alert"), page.offers("button", texts.setUp)]).toEqual([false, false]);
    page.answer(on(3));
    await page.reload();
    await page.shows(texts.fewCodes(3));
  });

  test("is turned off after a question", async () => {
    const page = await openCard(on());
    await page.press(texts.turnOff);
    await dialogIs(page, texts.turnOffTitle);
    await page.press("Cancel");
    expect(page.calls(remove)).toEqual([]);
    await page.press(texts.turnOff);
    page.answer({ [remove]: { message: factorTexts.removed }, [get]: { data: someFactors() } });
    await page.press(texts.turnOff);
    await page.shows(factorTexts.removed);
    await page.findByRole("button", { name: texts.setUp });
    await page.focusIsAt(page.getByRole("list", { name: texts.title }));
  });

  test("gets new recovery codes after a question, and they are not left by accident", async () => {
    const page = await openCard({ ...on(2), [renew]: { data: { recoveryCodes } } });
    await page.press(texts.newCodes);
    await dialogIs(page, texts.replaceTitle);
    expect(page.calls(renew)).toEqual([]);
    page.answer(on(10));
    await page.press(texts.replace);
    await dialogIs(page, texts.newCodesTitle);
    expect(isDisabled(page, texts.done)).toBe(true);
    await page.keys("{Escape}");
    await dialogIs(page, texts.leaveTitle);
    await page.press("Cancel");
    await page.click(page.getByLabelText(texts.stored));
    await page.press(texts.done);
    await page.until(() => expect(page.offers("dialog")).toBe(false));
    await page.shows(texts.codesDetail(10));
    expect(page.offers("alert")).toBe(false);
  });
});

test("a change after which the card could not be loaded again is told, and that the card is outdated", async () => {
  const page = await openCard(on());
  await page.press(texts.turnOff);
  const failed = () => new Response("", { status: 500 });
  page.answer({ [remove]: { message: factorTexts.removed }, [get]: failed });
  await page.press(texts.turnOff);
  await page.shows(factorTexts.removed);
  await page.shows(accountScreenTexts.outdated);
  page.answer({ [get]: { data: someFactors() } });
  await page.press(accountScreenTexts.tryAgain);
  await page.findByRole("button", { name: texts.setUp });
  expect(page.has(accountScreenTexts.outdated)).toBe(false);
});

test("what could not be loaded is said, and can be tried again", async () => {
  const page = await open("/account/security", {
    as: "user",
    answers: { ...accountAnswers(), [get]: () => new Response("", { status: 500 }) },
  });
  await page.shows(accountScreenTexts.loadFailed);
  expect(page.has(texts.title)).toBe(false);
  page.answer(on());
  await page.press(accountScreenTexts.tryAgain);
  await page.findByRole("button", { name: texts.turnOff });
});

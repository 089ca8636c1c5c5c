import { describe, expect, test } from "bun:test";
import { authTexts } from "#contract/auth-texts.ts";
import { timers } from "#contract/limits.ts";
import { noAnswer, type OpenPage, openPages, refusal } from "#ui/testing/pages.ts";
import type { Answer } from "#ui/testing/scripted-api.ts";
import { authScreenTexts as texts } from "./texts.ts";

const open = openPages();

const good = "quite another long password";
const noList = { "GET /texts/common-passwords.txt": new Response("password1\npassword123") };

describe("the page of a reset link", () => {
  const route = "POST /api/auth/reset-password/secret";
  const check = "GET /api/auth/reset-password/secret";
  const done = { success: true, data: { email: "ada@example.test", removed: [] } };
  const openLink = (
    answer: Answer = done,
    { query = "?token=secret", checked = { success: true, data: { waysIn: [] } } as Answer } = {},
  ) => open(`/reset-password${query}`, { answers: { ...noList, [check]: checked, [route]: answer } });
  const set = async (page: OpenPage, password: string, again = password) => {
    await page.fill(texts.newPassword, password);
    await page.fill(texts.confirmNewPassword, again);
    await page.press(texts.resetPassword);
  };

  test("takes the token out of the address, sets the password and leads to the sign-in after 3 seconds", async () => {
    const page = await openLink();
    await page.isAt("/reset-password");
    await set(page, good);
    await page.shows(authTexts.resetDone);
    expect(page.calls(route).map(({ body }) => body)).toEqual([{ password: good, keep: [] }]);
    await page.passTime(timers.redirectMs - 1);
    await page.isAt("/reset-password");
    await page.passTime(1);
    await page.isAt("/login");
    await page.until(() => expect(page.value(texts.loginEmail)).toBe("ada@example.test"));
  });

  test("says of the product's name that it is no password", async () => {
    const page = await openLink();
    await page.fill(texts.newPassword, "Atrium-2026!");
    await page.shows("Password strength: Very Weak");
    await page.shows(authTexts.passwordPersonal);
  });

  test("is found again by a reload until the password is set", async () => {
    const page = await openLink();
    await page.isAt("/reset-password");
    await page.reload();
    await set(page, good);
    await page.shows(authTexts.resetDone);
    expect(page.calls(route)).toHaveLength(1);
    await page.reload();
    await page.shows(authTexts.resetTokenMissing);
  });

  test("O6: lists the sign-in methods, the newer ones checked for removal, and says what was removed", async () => {
    const since = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000).toISOString();
    const google = { id: "g", kind: "google", label: "Google", since };
    const token = { id: "t", kind: "token", label: "ci", since };
    const passkey = { id: "p", kind: "passkey", label: "Laptop", since };
    const old = { id: "h", kind: "github", label: "GitHub", since: null };
    const waysIn = [
      { ...google, isNewer: true, isRemovable: true },
      { ...token, isNewer: true, isRemovable: true },
      { ...old, isNewer: false, isRemovable: false },
      { ...passkey, isNewer: true, isRemovable: false },
    ];
    const page = await openLink(
      { ...done, data: { ...done.data, removed: [google] } },
      { checked: { success: true, data: { waysIn } } },
    );
    await page.shows(texts.waysIn);
    await page.shows("connected 3 days ago");
    await page.shows(/GitHub/);
    await page.shows("Passkey Laptop");
    await page.shows(texts.waysInPasskeys);
    expect(page.queryByRole("checkbox", { name: /GitHub/ })).toBeNull();
    const boxes = page.getAllByRole("checkbox", { name: /^Remove / }) as HTMLInputElement[];
    expect(boxes.map(({ checked }) => checked)).toEqual([true, true]);
    await page.click(page.getByRole("checkbox", { name: /^Remove API token ci/ }));
    await set(page, good);
    expect(page.calls(route).map(({ body }) => body)).toEqual([{ password: good, keep: ["t"] }]);
    await page.shows("Removed: Google (connected 3 days ago).");
    await page.passTime(timers.redirectMs);
    await page.isAt("/reset-password");
  });

  test("that no longer works says so when the page opens, with the way to a new one and no form", async () => {
    const page = await openLink({}, { checked: refusal("TOKEN_INVALID", authTexts.resetInvalid) });
    await page.shows(authTexts.resetInvalid);
    expect(page.offers("button", texts.resetPassword)).toBe(false);
    await page.follow(texts.newLink);
    await page.isAt("/forgot-password");
  });

  test("is not called useless while the server can't say", async () => {
    const page = await openLink(undefined, { checked: refusal("DB_UNAVAILABLE") });
    await set(page, good);
    await page.shows(authTexts.resetDone);
  });

  test("leaves no token in the history", async () => {
    const before = history.length;
    await openLink();
    expect(JSON.stringify([location.href, history.state, history.length])).not.toContain("secret");
    expect(history.length).toBe(before);
  });

  test("without a token says so immediately and after every try, and leads to a new link", async () => {
    const page = await openLink({}, { query: "" });
    await page.shows(authTexts.resetTokenMissing);
    await set(page, good);
    await page.isIdle();
    expect(page.has(authTexts.resetTokenMissing)).toBe(true);
    expect(page.calls(route)).toEqual([]);
    await page.click(page.getByRole("link", { name: texts.newLink }));
    await page.isAt("/forgot-password");
  });

  test("says beside the field what will not do, and the link stays good", async () => {
    const page = await openLink();
    await set(page, "short");
    await page.shows(authTexts.passwordTooShort);
    await set(page, good, `${good}!`);
    await page.shows(authTexts.passwordsDiffer);
    expect(page.calls(route)).toEqual([]);
    const errors = [{ path: "password", message: authTexts.passwordPersonal }];
    page.answer({ [route]: refusal("VALIDATION_FAILED", "Please check", { errors }) });
    await set(page, good);
    await page.shows(authTexts.passwordPersonal);
    await page.focusIsAt(page.getByLabelText(texts.newPassword));
    page.answer({ [route]: done });
    await set(page, good);
    await page.shows(authTexts.resetDone);
    await page.click(page.getByRole("link", { name: texts.toLogin }));
    await page.isAt("/login");
  });

  test("of a link that was used already shows the server's words and the way to a new one", async () => {
    const page = await openLink(refusal("TOKEN_INVALID", authTexts.resetInvalid));
    await set(page, good);
    await page.shows(authTexts.resetInvalid);
    await page.click(page.getByRole("link", { name: texts.newLink }));
    await page.isAt("/forgot-password");
  });

  for (const [title, answer] of [
    ["the server is in trouble", () => new Response("", { status: 500 })],
    ["there is no connection", noAnswer],
  ] as const) {
    test(`keeps what was typed when ${title}, and does not blame the link`, async () => {
      const page = await openLink(answer);
      await set(page, good);
      await page.shows(authTexts.resetFailed);
      expect(page.offers("link", texts.newLink)).toBe(false);
      expect(page.value(texts.confirmNewPassword)).toBe(good);
    });
  }
});

describe("the page of a verification link", () => {
  const route = "POST /api/auth/verify-email/secret";
  const account = { name: "Ada Example", email: "ada@example.test" };
  const done = (data: object) => ({ success: true, data });
  const openLink = (answer: Answer) =>
    open("/verify-email?token=secret", { answers: { ...noList, [route]: answer } });
  const wanted = refusal("PASSWORD_WANTED", undefined, { data: { email: account.email } });
  const choose = async (page: OpenPage, password = good, again = password) => {
    await page.fill(texts.name, "Olive Owner");
    await page.fill(texts.newPassword, password);
    await page.fill(texts.confirmPassword, again);
    await page.press(texts.finishAccount);
  };

  test("says that it worked, without the token in the address, and leads to the sign-in after 3 seconds, the address filled in", async () => {
    const page = await openLink(done({ ...account, resetToken: "another" }));
    await page.shows(authTexts.verified);
    expect(page.calls(route).map(({ body }) => body)).toEqual([{}]);
    await page.passTime(timers.redirectMs - 1);
    await page.isAt("/verify-email");
    await page.passTime(1);
    await page.isAt("/login");
    await page.until(() => expect(page.value(texts.loginEmail)).toBe(account.email));
  });

  test("says whose registration it completed, there and at the sign-in, and leads to another password", async () => {
    const check = "GET /api/auth/reset-password/another";
    const page = await openLink(done({ ...account, resetToken: "another" }));
    await page.shows(texts.signedUpAs(account.name));
    page.answer({ [check]: done({ waysIn: [] }) });
    await page.passTime(timers.redirectMs);
    await page.isAt("/login");
    await page.shows(texts.signedUpAs(account.name));
    await page.follow(texts.chooseAnother);
    await page.isAt("/reset-password");
    await page.until(() => expect(page.calls(check)).toHaveLength(1));
    expect(page.has(authTexts.resetTokenMissing)).toBe(false);
  });

  test("asks for name and password where this browser did not register, and makes the account with them", async () => {
    const page = await openLink(wanted);
    await page.shows(texts.choosePassword);
    await page.shows(texts.choosePasswordLead);
    expect(page.value(texts.name)).toBe("");
    await choose(page, good, `${good}!`);
    await page.shows(authTexts.passwordsDiffer);
    page.answer({
      [route]: refusal("VALIDATION_FAILED", undefined, {
        errors: [{ path: "password", message: authTexts.passwordPersonal }],
      }),
    });
    await choose(page);
    await page.shows(authTexts.passwordPersonal);
    page.answer({ [route]: done(account) });
    await choose(page);
    await page.shows(authTexts.accountCreated);
    expect(page.calls(route).at(-1)?.body).toEqual({ name: "Olive Owner", password: good });
    expect(page.has(texts.signedUpAs(account.name))).toBe(false);
    await page.passTime(timers.redirectMs);
    await page.isAt("/login");
    await page.until(() => expect(page.value(texts.loginEmail)).toBe(account.email));
  });

  test("says beside a password that is the name or the address of the link why it will not do", async () => {
    const page = await openLink(wanted);
    await page.shows(texts.choosePassword);
    for (const typed of ["Example.Test-1", "ADA@example.test"]) {
      await page.fill(texts.newPassword, typed);
      await page.shows("Password strength: Very Weak");
      await page.shows(authTexts.passwordPersonal);
    }
    await page.fill(texts.newPassword, "Lovelace1815!");
    await page.shows("Password strength: Very Strong");
    await page.fill(texts.name, "Ada Lovelace");
    await page.shows("Password strength: Very Weak");
  });

  test("keeps what was typed when the server is in trouble, and is still there after a reload", async () => {
    const page = await openLink(wanted);
    await page.shows(texts.choosePassword);
    page.answer({ [route]: noAnswer });
    await choose(page);
    await page.shows(texts.createFailed);
    expect(page.value(texts.newPassword)).toBe(good);
    page.answer({ [route]: wanted });
    await page.reload();
    await page.shows(texts.choosePassword);
  });

  test("whose token ended while the form was filled in says so", async () => {
    const page = await openLink(wanted);
    await page.shows(texts.choosePassword);
    page.answer({ [route]: refusal("TOKEN_INVALID", authTexts.verificationInvalid) });
    await choose(page);
    await page.shows(authTexts.verificationInvalid);
    expect(page.offers("button", texts.finishAccount)).toBe(false);
  });

  test("says that a link is of no use, and leads to another one or to the sign-in", async () => {
    const page = await openLink(refusal("TOKEN_INVALID", authTexts.verificationInvalid));
    await page.shows(authTexts.verificationInvalid);
    page.getByRole("link", { name: texts.signIn });
    await page.click(page.getByRole("link", { name: texts.newLink }));
    await page.isAt("/verify");
  });

  test.each([
    ["a%3E", "a%3E"],
    ["%20", "%20"],
    ["a/b", "a%2Fb"],
  ])(
    "that came mangled (%s) is asked for as one segment, and refused as specified",
    async (token, segment) => {
      const mangled = `POST /api/auth/verify-email/${segment}`;
      const page = await open(`/verify-email?token=${token}`, {
        answers: { [mangled]: refusal("TOKEN_INVALID", authTexts.verificationInvalid) },
      });
      await page.shows(authTexts.verificationInvalid);
      expect(page.calls(mangled)).toHaveLength(1);
    },
  );

  test("tries again with the same token where the server has not decided", async () => {
    const page = await openLink(refusal("DB_UNAVAILABLE", "The database is restarting."));
    await page.shows("The database is restarting.");
    page.answer({ [route]: done(account) });
    await page.press(texts.tryAgain);
    await page.shows(authTexts.accountCreated);
  });

  test("without a token is the page that sends another email", async () => {
    const page = await open("/verify-email");
    await page.isAt("/verify");
  });
});

describe("the page of a setup link", () => {
  test("without a token says where the link is, and offers no form", async () => {
    const page = await open("/setup");
    await page.shows(texts.setupMissing);
    await page.until(() => expect(page.offers("button", texts.createAdmin)).toBe(false));
  });

  const check = "GET /api/auth/setup/once";
  const useless = refusal("TOKEN_INVALID", authTexts.setupInvalid);

  test("that was used says so when the page opens, with how to get another one and no form", async () => {
    const page = await open("/setup?token=once", { answers: { [check]: useless } });
    await page.shows(authTexts.setupInvalid);
    await page.shows(texts.setupCommand);
    expect(page.offers("button", texts.createAdmin)).toBe(false);
  });

  test("that is used while the form is filled in says so, and keeps what was typed", async () => {
    const page = await open("/setup?token=once", {
      answers: { ...noList, [check]: { success: true, data: {} }, "POST /api/auth/setup": useless },
    });
    await page.isAt("/setup");
    await page.reload();
    await page.fill(texts.name, "Mallory");
    await page.fill(texts.email, "mallory@example.test");
    await page.fill(texts.password, good);
    await page.fill(texts.confirmPassword, good);
    await page.press(texts.createAdmin);
    await page.shows(authTexts.setupInvalid);
    await page.shows(texts.setupCommand);
    expect(page.value(texts.name)).toBe("Mallory");
  });
});

describe("a forgotten password", () => {
  test("is answered in the server's words and with what to do when nothing arrives", async () => {
    const route = "POST /api/auth/forgot-password";
    const page = await open("/forgot-password", {
      answers: { [route]: { success: true, message: authTexts.resetMailSent } },
    });
    await page.fill("Email", " missing@example.test ");
    await page.press(texts.sendReset);
    await page.shows(authTexts.resetMailSent);
    await page.shows(texts.forgotNothing);
    expect(page.calls(route).map(({ body }) => body)).toEqual([{ email: "missing@example.test" }]);
    await page.click(page.getByText(texts.backToLogin));
    await page.isAt("/login");
  });
});

import { describe, expect, test } from "bun:test";
import type { PendingUser, UserDetail } from "#api/modules/users/contract.ts";
import { authTexts, userTexts as words } from "#contract/auth-texts.ts";
import { errorTexts, lastAdminText } from "#contract/errors.ts";
import type { FactorWay } from "#contract/proof.ts";
import { grace, graceInDetail, pageOf } from "#ui/testing/answers.ts";
import { type OpenPage, openPages, refusal } from "#ui/testing/pages.ts";
import type { Answers } from "#ui/testing/scripted-api.ts";
import { createTexts, pendingTexts, userTexts as texts, usersTexts } from "./texts.ts";

const open = openPages();

const list = "GET /api/admin/users";

const openUsers = (query: string, answers: Answers) => open(`/admin/users${query}`, { as: "admin", answers });

const one = "/api/admin/users/grace";
const message = (text: string) => ({ success: true, message: text });

/** Opens the details of Grace by a press on her row; the server knows her as `user` says. */
const openDetails = async (change: Partial<UserDetail> = {}, answers: Answers = {}) => {
  const user = graceInDetail(change);
  const page = await openUsers("", { [list]: pageOf([user]), [`GET ${one}`]: { data: user }, ...answers });
  await page.press(user.name);
  await page.shows(texts.actions);
  return page;
};

/** Lets list and details tell of a change, as they do once it is made. */
const becomes = (page: OpenPage, change: Partial<UserDetail>) =>
  page.answer({ [list]: pageOf([graceInDetail(change)]), [`GET ${one}`]: { data: graceInDetail(change) } });

describe("an admin", () => {
  test("disables a user after a question, which Cancel leaves, and enables them again", async () => {
    const page = await openDetails(
      {},
      {
        [`POST ${one}/disable`]: message(words.disabled),
        [`POST ${one}/enable`]: message(words.enabled),
      },
    );
    page.getByText("Sessions (1)");
    await page.press(texts.disable);
    await page.shows(texts.disableQuestion("Grace Hopper"));
    await page.press("Cancel");
    await page.until(() => expect(page.offers("dialog", texts.disableTitle)).toBe(false));
    expect(page.calls(`POST ${one}/disable`)).toEqual([]);
    await page.press(texts.disable);
    becomes(page, { disabled: true, sessionCount: 0, sessions: [] });
    await page.press(texts.disable);
    await page.shows(words.disabled);
    await page.shows(texts.noSessions);
    await page.shows(texts.resetDisabled);
    expect((await page.row("Grace Hopper")).textContent).toContain("Disabled");
    becomes(page, {});
    await page.press(texts.enable);
    await page.shows(words.enabled);
    await page.until(async () => expect((await page.row("Grace Hopper")).textContent).toContain("Active"));
  });

  for (const [role, button, title, next] of [
    ["user", texts.makeAdmin, texts.makeAdminTitle, "admin"],
    ["admin", texts.makeUser, texts.makeUserTitle, "user"],
  ] as const) {
    test(`makes ${role === "user" ? "a user an admin" : "an admin a user"} after a question`, async () => {
      const page = await openDetails({ role }, { [`PUT ${one}/role`]: message(words.roleChanged) });
      await page.press(button);
      await page.findByRole("dialog", { name: title });
      becomes(page, { role: next });
      await page.press(button);
      await page.shows(words.roleChanged);
      expect(page.calls(`PUT ${one}/role`).map(({ body }) => body)).toEqual([{ role: next }]);
      await page.until(() => expect(page.offers("dialog", title)).toBe(false));
      const cells = async () =>
        [...(await page.row("Grace Hopper")).querySelectorAll("td")].map(({ textContent }) => textContent);
      await page.until(async () => expect(await cells()).toContain(next === "admin" ? "Admin" : "User"));
    });
  }

  test("sends a reset email, and ends all sessions after a confirmation", async () => {
    const page = await openDetails(
      {},
      {
        [`POST ${one}/send-reset`]: message(words.resetMailed),
        [`DELETE ${one}/sessions`]: message(words.sessionsEnded),
      },
    );
    await page.press(texts.reset);
    await page.shows(words.resetMailed);
    await page.press(texts.end);
    await page.findByRole("dialog", { name: texts.endTitle });
    becomes(page, { sessionCount: 0, sessions: [] });
    await page.press(texts.end);
    await page.shows(texts.noSessions);
    expect(page.calls(`DELETE ${one}/sessions`)).toHaveLength(1);
  });

  test("resets two-factor authentication after a question, where there is one", async () => {
    const enabledAt = "2026-10-01T12:00:00.000Z";
    const secondFactor: UserDetail["secondFactor"] = { enabledAt, ways: ["code"], recoveryCodesLeft: 0 };
    const reset = `POST ${one}/second-factor/reset`;
    const page = await openDetails({ secondFactor }, { [reset]: message(words.secondFactorReset) });
    await page.press(texts.resetFactor);
    await page.shows(texts.resetFactorQuestion("Grace Hopper"));
    expect(page.calls(reset)).toEqual([]);
    becomes(page, {});
    await page.press(texts.resetFactor);
    await page.shows(words.secondFactorReset);
    await page.until(() => expect(page.offers("button", texts.resetFactor)).toBe(false));
    await page.shows(texts.noFactor);
  });

  test("removes the authenticator app alone of a user who has a passkey, too", async () => {
    const enabledAt = "2026-10-01T12:00:00.000Z";
    const ways: FactorWay[] = ["passkey", "code"];
    const reset = `POST ${one}/second-factor/reset`;
    const page = await openDetails(
      { secondFactor: { enabledAt, ways, recoveryCodesLeft: 0 } },
      { [reset]: message(words.secondFactorReset) },
    );
    await page.press(texts.removeApp);
    await page.shows(texts.removeAppQuestion("Grace Hopper"));
    becomes(page, { secondFactor: { enabledAt, ways: ["passkey"], recoveryCodesLeft: 0 } });
    await page.press(texts.removeApp);
    await page.until(() => expect(page.offers("button", texts.removeApp)).toBe(false));
    expect(page.offers("button", texts.resetFactor)).toBe(true);
    expect(page.calls(reset).map(({ query }) => query)).toEqual(["keepPasskeys=true"]);
  });

  test("deletes a user after their email address was typed, and returns to the list", async () => {
    const page = await openDetails({}, { [`DELETE ${one}`]: message(words.deleted) });
    await page.press(texts.delete);
    await page.findByRole("dialog", { name: texts.deleteTitle });
    // The field has the focus from the start.
    await page.focusIsAt(page.getByLabelText(texts.deleteType));
    await page.keys("somebody@else.example{Enter}");
    await page.shows(texts.deleteMismatch);
    expect(page.calls(`DELETE ${one}`)).toEqual([]);
    page.answer({ [list]: pageOf([]) });
    await page.fill(texts.deleteType, "GRACE@example.test");
    await page.keys("{Enter}");
    await page.shows(words.deleted);
    await page.shows(usersTexts.none);
    expect(page.offers("dialog")).toBe(false);
    await page.isAt("/admin/users");
  });

  test("adds a user, and reads beside the fields what will not do", async () => {
    const page = await openUsers("", {
      [list]: pageOf([grace]),
      "GET /texts/common-passwords.txt": new Response(""),
    });
    const create = "POST /api/admin/users";
    await page.press(createTexts.open);
    await page.focusIsAt(page.getByLabelText(createTexts.name));
    await page.keys("{Enter}");
    await page.shows("Please enter your name");
    await page.fill(createTexts.name, " Added Member ");
    await page.fill(createTexts.email, "ada@example.test");
    await page.fill(createTexts.password, "Added-Member-7");
    await page.shows("Password strength: Very Weak");
    await page.shows(authTexts.passwordPersonal);
    await page.fill(createTexts.password, "a rather fine long password");
    await page.hides(authTexts.passwordPersonal);
    await page.choose("Role", "Admin");
    const taken = "A user with this email address already exists";
    page.answer({
      [create]: refusal("VALIDATION_FAILED", "Please check", { errors: [{ path: "email", message: taken }] }),
    });
    await page.press(createTexts.submit);
    await page.shows(taken);
    await page.focusIsAt(page.getByLabelText(createTexts.email));
    page.answer({
      [create]: message(words.added),
      [list]: pageOf([grace, { ...grace, id: "new", name: "Added Member" }]),
    });
    await page.fill(createTexts.email, "added@example.test");
    await page.keys("{Enter}");
    await page.shows(words.added);
    await page.row("Added Member");
    expect(page.calls(create).at(-1)?.body).toMatchObject({
      name: "Added Member",
      email: "added@example.test",
    });
  });
});

describe("what cannot be done", () => {
  test("says why: the last admin stays, with the reason beside each button", async () => {
    const page = await openDetails({ role: "admin", isLastAdmin: true });
    const sheet = await page.inside("dialog", "Grace Hopper");
    for (const name of [texts.makeUser, texts.disable, texts.delete]) {
      const button = sheet.getByRole("button", { name });
      expect(button.getAttribute("aria-disabled")).toBe("true");
      await page.click(button);
      expect(document.getElementById(button.getAttribute("aria-describedby") ?? "")?.textContent).toBe(
        lastAdminText,
      );
    }
    expect(page.getAllByRole("dialog")).toHaveLength(1);
  });

  test("is told in the question, which stays open to be tried again", async () => {
    const page = await openDetails({}, { [`POST ${one}/disable`]: refusal("DB_UNAVAILABLE", "Restarting.") });
    await page.press(texts.disable);
    await page.press(texts.disable);
    const question = await page.inside("dialog", texts.disableTitle);
    await question.findByText("Restarting.");
    page.answer({ [`POST ${one}/disable`]: message(words.disabled) });
    await page.press(texts.disable);
    await page.shows(words.disabled);
  });

  test("names a user who never was, and Escape leads back to the list", async () => {
    const page = await openUsers("?user=gone", {
      [list]: pageOf([grace]),
      "GET /api/admin/users/gone": refusal("NOT_FOUND", errorTexts.NOT_FOUND),
    });
    await page.shows("Failed to load admin data: 404 Not Found");
    await page.keys("{Escape}");
    await page.isAt("/admin/users");
  });
});

describe("the details of a user", () => {
  test("are in the URL, and Back closes them", async () => {
    const page = await openUsers("", { [list]: pageOf([grace]), [`GET ${one}`]: { data: graceInDetail() } });
    await page.row("Grace Hopper");
    const before = history.length;
    await page.press("Grace Hopper");
    await page.isAt("/admin/users?user=grace");
    expect(history.length).toBe(before + 1);
    await page.findByRole("dialog");
    history.back();
    await page.until(() => expect(page.offers("dialog")).toBe(false));
  });

  for (const [button, text] of [
    ["Copy Email", "grace@example.test"],
    ["Copy Id", "grace"],
  ] as const) {
    test(`can be copied: ${button}, which is said aloud`, async () => {
      const page = await openDetails();
      await page.press(button);
      const said = await page.findByText("Copied");
      expect(said.getAttribute("role")).toBe("status");
      expect(await navigator.clipboard.readText()).toBe(text);
    });
  }
});

describe("registrations that wait", () => {
  const pending = "GET /api/admin/pending-users";
  const registration = (id: string, name: string) => ({
    ...{ id, name, createdAt: "2026-10-01T09:05:00.000Z" },
    ...{ mailedAt: null, expiresAt: "2026-10-02T09:05:00.000Z" },
  });
  const waits = (...waiting: PendingUser["waiting"]): PendingUser => ({
    ...{ ...registration("a1", "Waiting"), email: "waiting@example.test" },
    ...{ registrations: waiting.length, waiting },
  });
  const openPending = async (...users: PendingUser[]) => {
    const page = await openUsers("", { [list]: pageOf([grace]), [pending]: pageOf(users) });
    await page.follow(usersTexts.tabs.pending);
    await page.isAt("/admin/users?tab=pending");
    return page;
  };

  test("are verified after a question", async () => {
    const page = await openPending(waits(registration("r1", "Waiting One")));
    await page.row("Waiting One");
    await page.press(pendingTexts.verifyName("waiting@example.test"));
    await page.shows(pendingTexts.verifyText("Waiting One", "waiting@example.test"));
    page.answer({
      "POST /api/admin/pending-users/r1/verify": message(words.verified),
      [pending]: pageOf([]),
    });
    await page.press(pendingTexts.verify);
    await page.shows(words.verified);
    await page.shows(pendingTexts.none);
  });

  test("are removed after a question", async () => {
    const page = await openPending(waits(registration("r1", "Waiting One")));
    await page.row("Waiting One");
    await page.press(pendingTexts.removeName("waiting@example.test"));
    page.answer({
      "DELETE /api/admin/pending-users/r1": message(words.registrationRemoved),
      [pending]: pageOf([]),
    });
    await page.press(pendingTexts.removeConfirm);
    await page.shows(words.registrationRemoved);
    await page.shows(pendingTexts.none);
    await page.follow(usersTexts.tabs.accounts);
    await page.row("Grace Hopper");
  });

  test("are each shown where several have one address, and the one that is chosen is verified", async () => {
    const page = await openPending(waits(registration("r2", "A Stranger"), registration("r1", "The Owner")));
    await page.row("A Stranger");
    expect(page.getAllByText(pendingTexts.several(2))).toHaveLength(2);
    await page.press(pendingTexts.verifyOne("The Owner", "waiting@example.test"));
    page.answer({
      "POST /api/admin/pending-users/r1/verify": message(words.verified),
      [pending]: pageOf([]),
    });
    await page.press(pendingTexts.verify);
    await page.shows(words.verified);
  });
});

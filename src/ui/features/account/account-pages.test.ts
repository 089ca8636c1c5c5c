import { describe, expect, test } from "bun:test";
import { accountTexts, authTexts, unlinked } from "#contract/auth-texts.ts";
import { securityPage } from "#contract/page-paths.ts";
import { proofTexts } from "#ui/components/proof-dialog.tsx";
import { accountAnswers, anAccount, aSession, people } from "#ui/testing/answers.ts";
import { heldAnswer, type OpenPage, openPages, refusal } from "#ui/testing/pages.ts";
import type { Answers } from "#ui/testing/scripted-api.ts";
import { readLinkOutcome } from "./account-pages.tsx";
import { emailCardTexts, accountScreenTexts as texts } from "./texts.ts";

const open = openPages();

const noList = { "GET /texts/common-passwords.txt": new Response("") };
type Change = Parameters<typeof anAccount>[0];
/** Opens a page of the account settings, by what is on it once it is all there. */
const opener =
  (path: string, sign: string) =>
  async (change: Change = {}, answers: Answers = {}) => {
    const page = await open(path, {
      as: "user",
      answers: { ...noList, ...accountAnswers(anAccount(change)), ...answers },
    });
    await page.shows(sign);
    return page;
  };
const openProfile = opener("/account", emailCardTexts.change);
const openSecurity = opener(securityPage, texts.emailMethod);
const openSessions = opener("/account/sessions", texts.thisDevice);
const openData = opener("/account/data", texts.deleteOpen);
const wrongPassword = (path: string) =>
  refusal("VALIDATION_FAILED", "Please check", { errors: [{ path, message: accountTexts.passwordWrong }] });
const stale = { wanted: "recent", ways: [] };
const bodies = (page: OpenPage, route: string) => page.calls(route).map(({ body }) => body);

describe("the name", () => {
  const route = "PUT /api/account/name";

  test("that is typed and not saved is asked about before the page is left", async () => {
    const page = await openProfile();
    await page.fill(texts.name, "Zoë Quill");
    await page.click(page.getAllByRole("link", { name: "About" })[0] ?? document.body);
    await page.shows(texts.nameUnsaved);
    await page.press("Cancel");
    await page.until(() => expect(page.offers("dialog")).toBe(false));
    expect([location.pathname, page.value(texts.name)]).toEqual(["/account", "Zoë Quill"]);
  });

  test("is changed, header and profile follow, and it says why one will not do", async () => {
    const renamed = { message: accountTexts.renamed, user: { ...people.user, name: "Zoë Quill" } };
    const page = await openProfile({}, { [route]: renamed });
    await page.fill(texts.name, " ");
    await page.keys("{Enter}");
    await page.shows(authTexts.nameRequired);
    await page.fill(texts.name, " Zoë Quill ");
    await page.keys("{Enter}");
    await page.shows(accountTexts.renamed);
    expect(bodies(page, route)).toEqual([{ name: "Zoë Quill" }]);
    expect(page.getByRole("button", { name: "Account menu: ZQ" }).textContent).toBe("ZQ");
  });

  test("that is as it was is not sent", async () => {
    const page = await openProfile();
    await page.fill(texts.name, " Grace Hopper ");
    await page.press(texts.saveName);
    await page.isIdle();
    expect(page.calls(route)).toEqual([]);
  });
});

describe("the password", () => {
  const route = "PUT /api/account/password";
  const good = "quite another long password";

  test("is changed with the current one; a wrong one leads back to its field and keeps the new one", async () => {
    const page = await openSecurity({}, { [route]: wrongPassword("currentPassword") });
    await page.fill(texts.currentPassword, "not my password");
    await page.fill(texts.newPassword, good);
    await page.fill(texts.confirmPassword, good);
    await page.keys("{Enter}");
    await page.shows(accountTexts.passwordWrong);
    await page.focusIsAt(page.getByLabelText(texts.currentPassword));
    expect(page.value(texts.newPassword)).toBe(good);
    page.answer({ [route]: { message: accountTexts.passwordChanged } });
    await page.fill(texts.currentPassword, "my password");
    await page.keys("{Enter}");
    await page.shows(accountTexts.passwordChanged);
    expect(bodies(page, route).at(-1)).toEqual({ currentPassword: "my password", newPassword: good });
    expect(page.value(texts.currentPassword)).toBe("");
  });

  test("is Very Weak where it is the address or the name", async () => {
    const page = await openSecurity();
    for (const [password, label] of [
      ["Grace@Example.Test", "Very Weak"],
      ["Hopper-1906!", "Very Weak"],
      ["Quill-1906!", "Very Strong"],
    ] as const) {
      await page.fill(texts.newPassword, password);
      await page.shows(`Password strength: ${label}`);
      expect([password, page.has(authTexts.passwordPersonal)]).toEqual([password, label === "Very Weak"]);
    }
  });

  test("is set through an emailed link if there is none yet", async () => {
    const page = await openSecurity(
      { hasPassword: false },
      { "POST /api/auth/forgot-password": { message: authTexts.resetMailSent } },
    );
    await page.press(texts.mailLink);
    await page.shows(authTexts.resetMailSent);
    expect(bodies(page, "POST /api/auth/forgot-password")).toEqual([{ email: people.user.email }]);
  });
});

describe("sessions", () => {
  const here = aSession({ id: "s0", isCurrent: true, device: "Chrome on macOS" });
  const [phone, tablet] = [aSession({ id: "s1", device: "Phone" }), aSession({ id: "s2", device: "Tablet" })];
  const sessions = (...all: ReturnType<typeof aSession>[]) => ({
    "GET /api/account/sessions": { data: { sessions: all } },
  });

  test("are ended one, then all others; the one in use cannot be, and the list keeps the focus", async () => {
    const page = await openSessions({}, sessions(here, phone, tablet));
    expect(page.offers("button", texts.endName("Chrome on macOS"))).toBe(false);
    page.getByText(texts.inUseNow);
    page.answer({
      "DELETE /api/account/sessions/s1": { message: accountTexts.sessionEnded },
      ...sessions(here, tablet),
    });
    await page.press(texts.endName("Phone"));
    await page.shows(accountTexts.sessionEnded);
    await page.focusIsAt(page.getByRole("list", { name: texts.sessions }));
    await page.until(() => expect(page.has("Phone")).toBe(false));
    await page.press(texts.endOthers);
    page.answer({ "DELETE /api/account/sessions": { message: accountTexts.othersEnded }, ...sessions(here) });
    await page.press(texts.endOthersConfirm);
    await page.shows(accountTexts.othersEnded);
    await page.until(() => expect(page.has("Tablet")).toBe(false));
    expect(page.offers("button", texts.endOthers)).toBe(false);
  });

  test("tell when they began and were used, to the minute", async () => {
    const page = await openSessions({}, sessions(here, phone));
    const row = page.getByText("Phone").closest("li");
    for (const time of row?.querySelectorAll("time") ?? [])
      expect(time.getAttribute("title")).toMatch(/\d{4}.*\d{1,2}:\d{2}/);
    expect(row?.textContent).toMatch(/Signed in \S.*\d{1,2}:\d{2}/);
  });

  test("that have ended meanwhile are what was wanted", async () => {
    const page = await openSessions({}, sessions(here, phone));
    page.answer({ "DELETE /api/account/sessions/s1": refusal("NOT_FOUND") });
    await page.press(texts.endName("Phone"));
    await page.shows(texts.endedAlready);
  });
});

describe("deleting the account", () => {
  const route = "DELETE /api/account";

  test("wants the address and the right password, and ends at the landing page", async () => {
    const page = await openData({}, { [route]: wrongPassword("password") });
    await page.press(texts.deleteOpen);
    await page.shows(/all your devices are signed out/);
    await page.focusIsAt(page.getByLabelText(texts.yourPassword));
    await page.keys("not my password");
    await page.fill(texts.typeEmail, "someone@example.test");
    await page.keys("{Enter}");
    await page.shows(texts.emailDiffers);
    expect(page.calls(route)).toEqual([]);
    await page.fill(texts.typeEmail, "GRACE@example.test");
    await page.keys("{Enter}");
    await page.shows(accountTexts.passwordWrong);
    await page.focusIsAt(page.getByLabelText(texts.yourPassword));
    page.answer({ [route]: { message: accountTexts.deleted } });
    await page.fill(texts.yourPassword, "my password");
    await page.keys("{Enter}");
    await page.isAt("/");
    await page.shows(accountTexts.deleted);
    expect(bodies(page, route).at(-1)).toEqual({ password: "my password" });
    expect(page.getAllByRole("link", { name: "Login" }).length).toBeGreaterThan(0);
  });

  test("asks for no password if the account has none", async () => {
    const page = await openData({ hasPassword: false }, { [route]: { message: accountTexts.deleted } });
    await page.press(texts.deleteOpen);
    expect(page.queryAllByLabelText(texts.yourPassword)).toHaveLength(0);
    await page.fill(texts.typeEmail, people.user.email);
    await page.press(texts.deleteConfirm);
    await page.shows(accountTexts.deleted);
    expect(bodies(page, route)).toEqual([{}]);
  });

  for (const [way, leave] of [
    ["Escape", (page: OpenPage) => page.keys("{Escape}")],
    ["a press beside it", (page: OpenPage) => page.click(page.getByRole("dialog"))],
    ["Cancel", (page: OpenPage) => page.press("Cancel")],
  ] as const) {
    test(`is left by ${way}, and the focus comes back`, async () => {
      const page = await openData();
      await page.press(texts.deleteOpen);
      await page.findByRole("dialog", { name: texts.deleteTitle });
      await leave(page);
      await page.until(() => expect(page.offers("dialog")).toBe(false));
      if (way !== "a press beside it")
        await page.focusIsAt(page.getByRole("button", { name: texts.deleteOpen }));
      expect(page.calls(route)).toEqual([]);
    });
  }

  test("is not for the last administrator, who reads why", async () => {
    const page = await openData({ isLastAdmin: true });
    expect(page.getByRole<HTMLButtonElement>("button", { name: texts.deleteOpen }).disabled).toBe(true);
    await page.shows(texts.lastAdmin);
  });
});

describe("other ways to sign in", () => {
  const google = (linked: boolean) => ({
    providers: {
      google: { label: "Google", configured: true, linked },
      github: { label: "GitHub", configured: false, linked: false },
    },
  });
  const link = "POST /api/account/connections/google";

  test("names the providers that the server does not offer", async () => {
    const page = await openSecurity();
    await page.shows(texts.notConfigured("Google"));
    await page.shows(texts.notConfigured("GitHub"));
    expect(page.offers("button", texts.linkName("Google"))).toBe(false);
  });

  test("keeps the last sign-in method and says why", async () => {
    const page = await openSecurity({ ...google(true), hasPassword: false });
    expect(page.getByRole<HTMLButtonElement>("button", { name: texts.unlinkName("Google") }).disabled).toBe(
      true,
    );
    await page.shows(texts.lastWayIn);
  });

  test("are linked with the password alone", async () => {
    const page = await openSecurity(google(false), { [link]: wrongPassword("password") });
    await page.press(texts.linkName("Google"));
    await page.shows(texts.linkLead("Google"));
    await page.focusIsAt(page.getByLabelText(texts.yourPassword));
    await page.keys("{Enter}");
    await page.shows(authTexts.passwordRequired);
    await page.keys("not my password{Enter}");
    await page.shows(accountTexts.passwordWrong);
    expect(bodies(page, link)).toEqual([{ password: "not my password" }]);
  });

  test("are not linked when the question is left while the server is asked", async () => {
    const { answer, release } = heldAnswer({ data: { url: "/elsewhere" } });
    const page = await openSecurity(google(false), { [link]: answer });
    await page.press(texts.linkName("Google"));
    await page.fill(texts.yourPassword, "my password");
    await page.keys("{Enter}");
    const goOn = page.getByRole("button", { name: texts.linkConfirm("Google") });
    expect(goOn.getAttribute("aria-busy")).toBe("true");
    await page.keys("{Escape}");
    await page.until(() => expect(page.offers("dialog")).toBe(false));
    await page.focusIsAt(page.getByRole("button", { name: texts.linkName("Google") }));
    release();
    await page.passTime(0);
    await page.isAt(securityPage);
  });

  test("want a fresh session where there is no password, and lead to one and back", async () => {
    const page = await openSecurity(
      { ...google(false), hasPassword: false },
      { [link]: refusal("REAUTHENTICATION_REQUIRED", accountTexts.signInAgain, { data: stale }) },
    );
    await page.press(texts.linkName("Google"));
    await page.shows(texts.linkWithoutPassword);
    await page.press(texts.linkConfirm("Google"));
    await page.findByRole("dialog", { name: proofTexts.title });
    await page.press(proofTexts.cancel);
    await page.shows(accountTexts.signInAgain);
    await page.press(texts.linkConfirm("Google"));
    page.answer({ "POST /api/auth/logout": { success: true } });
    await page.press(proofTexts.signInAgain);
    await page.isAt("/login?from=%2Faccount%2Fsecurity");
  });

  test("are unlinked after a question", async () => {
    const page = await openSecurity(google(true));
    await page.press(texts.unlinkName("Google"));
    await page.findByRole("dialog", { name: texts.unlinkTitle("Google") });
    page.answer({
      "DELETE /api/account/connections/google": { message: unlinked("Google") },
      ...accountAnswers(anAccount(google(false))),
    });
    await page.press(texts.unlinkName("Google"));
    await page.shows(unlinked("Google"));
    await page.findByRole("button", { name: texts.linkName("Google") });
  });

  test("that failed to be linked are said once, and the address forgets it", async () => {
    const page = await open(`${securityPage}?error=link_failed`, { as: "user", answers: accountAnswers() });
    await page.shows(texts.linkRefused);
    await page.isAt(securityPage);
  });
});

describe("the account pages", () => {
  test("says that the activity log is not in the download, and where to ask about it", async () => {
    const page = await openData();
    await page.shows(/^The activity log/);
    expect(page.getByRole("link", { name: texts.dataAsk }).getAttribute("href")).toBe("/contact");
  });

  test("says once what the server refuses of several cards, and shows them all when tried again", async () => {
    const broken = () => new Response("", { status: 500 });
    const page = await open(securityPage, {
      as: "user",
      answers: {
        "GET /api/account": broken,
        "GET /api/account/passkeys": broken,
        "GET /api/account/second-factors": broken,
      },
    });
    await page.shows(texts.loadFailed);
    expect(page.getAllByRole("alert")).toHaveLength(1);
    page.answer(accountAnswers());
    await page.press(texts.tryAgain);
    await page.findByLabelText(texts.currentPassword);
    expect(page.offers("alert")).toBe(false);
  });
});

const outcome = (query: string) => readLinkOutcome(new URLSearchParams(query));

test("the address tells which provider was linked, or that linking or confirming failed", () => {
  expect(outcome("linked=google")).toEqual({ step: "linked", label: "Google" });
  expect(outcome("linked=github")).toEqual({ step: "linked", label: "GitHub" });
  expect(outcome("linked=acme")).toEqual({ step: "linked", label: "The provider" });
  expect(outcome("error=link_failed")).toEqual({ step: "failed" });
  expect(outcome("error=confirm_failed")).toEqual({ step: "unconfirmed" });
});

test("any other address tells nothing", () => {
  for (const query of ["", "linked=", "linked=<b>evil</b>", "linked=toString", "error=auth_failed"]) {
    expect([query, outcome(query)]).toEqual([query, null]);
  }
});

import { describe, expect, test } from "bun:test";
import type { ApiToken, NewApiToken } from "#api/modules/tokens/contract.ts";
import { tokenTexts as words } from "#contract/api-tokens.ts";
import { accountTexts } from "#contract/auth-texts.ts";
import { proofTexts } from "#ui/components/proof-dialog.tsx";
import { notConfirmedText } from "#ui/lib/api.ts";
import { type OpenPage, openPages, refusal } from "#ui/testing/pages.ts";
import type { Answers } from "#ui/testing/scripted-api.ts";
import { createTexts, newTokenTexts, tokenTexts as texts, tokenPageTexts } from "./texts.ts";

const open = openPages();

const path = "/api/admin/tokens";
const list = `GET ${path}`;
const create = `POST ${path}`;
const confirm = "POST /api/account/confirm";

const aToken = (change: Partial<ApiToken> = {}): ApiToken => ({
  id: "t1",
  name: "ci",
  hint: "wxyz",
  scopes: ["plugins:read"],
  state: "live",
  owner: { id: "ada", name: "Ada Lovelace", email: "ada@example.test", isActive: true },
  allowedNetworks: [],
  callsPerMinute: null,
  createdAt: "2026-10-01T09:05:00.000Z",
  expiresAt: null,
  lastUsedAt: null,
  lastUsedIp: null,
  revokedAt: null,
  ...change,
});
const made: NewApiToken = { ...aToken(), token: "atr_shown-once" };
const tokens = (...all: ApiToken[]) => ({ data: { tokens: all } });

const openTokens = (all: ApiToken[] = [], answers: Answers = {}) =>
  open("/admin/tokens", { as: "admin", answers: { [list]: tokens(...all), ...answers } });

const fillIn = async (page: OpenPage, name = "ci") => {
  await page.press(tokenPageTexts.create);
  await page.fill(createTexts.name, name);
  await page.choose(createTexts.areas.plugins, createTexts.levels.plugins.read);
  await page.press(tokenPageTexts.create);
};
const bodies = (page: OpenPage, route: string) => page.calls(route).map(({ body }) => body);

describe("a new token", () => {
  test("is asked for with what was chosen, shown once, copied and gone", async () => {
    const page = await openTokens([], { [create]: { data: made } });
    await page.shows(tokenPageTexts.none);
    page.answer({ [list]: tokens(aToken()) });
    await fillIn(page);
    await page.findByRole("dialog", { name: newTokenTexts.title });
    expect(bodies(page, create)).toEqual([
      {
        name: "ci",
        allowedNetworks: [],
        callsPerMinute: null,
        scopes: ["plugins:read"],
        expiresAt: expect.stringMatching(/^\d{4}-/),
      },
    ]);
    await page.focusIsAt(page.getByRole("button", { name: "Copy token" }));
    await page.keys("{Enter}");
    await page.shows("Copied");
    expect(await navigator.clipboard.readText()).toBe(made.token);
    await page.press(newTokenTexts.done);
    await page.row("ci");
    expect(document.body.textContent).not.toContain(made.token);
  });

  test("wants a name and something to be allowed, and warns of everything", async () => {
    const page = await openTokens();
    await page.press(tokenPageTexts.create);
    await page.press(tokenPageTexts.create);
    await page.shows(createTexts.noName);
    await page.shows(createTexts.noAccess);
    await page.click(page.getByLabelText(createTexts.all));
    await page.shows(createTexts.allText);
    await page.hides(createTexts.noAccess);
    await page.choose(createTexts.expires, createTexts.ends.custom);
    await page.press(tokenPageTexts.create);
    await page.shows(createTexts.noDay);
    expect(page.calls(create)).toEqual([]);
  });

  test("is not lost by Escape, a link or Back without a question", async () => {
    const page = await openTokens([], { [create]: { data: made } });
    await fillIn(page);
    await page.findByRole("dialog", { name: newTokenTexts.title });
    const isAsked = () => page.offers("dialog", newTokenTexts.leaveTitle);
    for (const leave of [
      () => page.keys("{Escape}"),
      () => page.click(page.getAllByRole("link", { name: "Users" })[0] ?? document.body),
    ]) {
      await leave();
      await page.until(() => expect(isAsked()).toBe(true));
      await page.press("Cancel");
      await page.until(() => expect(isAsked()).toBe(false));
      expect(page.has(made.token)).toBe(true);
    }
    const unload = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(unload);
    expect(unload.defaultPrevented).toBe(true);
    await page.keys("{Escape}");
    await page.press(newTokenTexts.leave);
    await page.until(() => expect(page.offers("dialog")).toBe(false));
  });

  test("is asked for again once the reader has confirmed that it is them, and not when they cancel", async () => {
    const data = { wanted: "recent", ways: ["password"] };
    const stale = refusal("REAUTHENTICATION_REQUIRED", accountTexts.passwordWanted, { data });
    const page = await openTokens([], {
      [create]: stale,
      [confirm]: ({ body }) => {
        if (Object(body).password !== "my password") {
          const errors = [{ path: "password", message: "This is not your password" }];
          return refusal("VALIDATION_FAILED", "Please check", { errors });
        }
        page.answer({ [create]: { data: made } });
        return { message: accountTexts.confirmed };
      },
    });
    await fillIn(page);
    await page.findByRole("dialog", { name: proofTexts.title });
    await page.press("Cancel");
    await page.shows(notConfirmedText);
    await page.isIdle();
    await page.press(tokenPageTexts.create);
    await page.fill(proofTexts.password, "something else");
    await page.press(proofTexts.confirm);
    await page.shows("This is not your password");
    await page.fill(proofTexts.password, "my password");
    await page.keys("{Enter}");
    await page.findByRole("dialog", { name: newTokenTexts.title });
    await page.until(() => expect(page.offers("dialog", proofTexts.title)).toBe(false));
    expect(page.calls(create)).toHaveLength(3);
    expect(bodies(page, create).every((body) => !("password" in Object(body)))).toBe(true);
  });
});

describe("a token", () => {
  const change = `PATCH ${path}/t1`;

  test("shows mistakes beside their fields, and saves what is changed", async () => {
    const page = await openTokens([aToken()]);
    await page.press("ci");
    await page.fill(createTexts.networks, "10.0.0.0/8\n10.0.0.0/99");
    await page.fill(createTexts.calls, "many");
    await page.press(texts.save);
    await page.shows(words.badNetwork);
    await page.shows(words.badCalls);
    expect(page.value(createTexts.networks)).toBe("10.0.0.0/8\n10.0.0.0/99");
    await page.fill(createTexts.networks, "10.0.0.0/8\n::/0");
    await page.fill(createTexts.calls, "1000000");
    const errors = [
      { path: "allowedNetworks.1", message: words.badNetwork },
      { path: "callsPerMinute", message: words.badCalls },
    ];
    page.answer({ [change]: refusal("VALIDATION_FAILED", "Please check", { errors }) });
    await page.press(texts.save);
    await page.shows(words.badNetwork);
    await page.shows(words.badCalls);
    page.answer({ [change]: { message: words.changed } });
    await page.fill(createTexts.networks, "10.0.0.0/8");
    await page.fill(createTexts.calls, "60");
    await page.press(texts.save);
    await page.shows(words.changed);
    expect(bodies(page, change)).toEqual([
      { name: "ci", allowedNetworks: ["10.0.0.0/8", "::/0"], callsPerMinute: 1_000_000 },
      { name: "ci", allowedNetworks: ["10.0.0.0/8"], callsPerMinute: 60 },
    ]);
  });

  test("is revoked, then removed from the list, each after a question", async () => {
    const page = await openTokens([aToken()]);
    await page.press("ci");
    await page.press(texts.revoke);
    await page.findByRole("dialog", { name: texts.revokeTitle("ci") });
    page.answer({
      [`POST ${path}/t1/revoke`]: { message: words.revoked },
      [list]: tokens(aToken({ state: "revoked", revokedAt: "2026-10-02T09:05:00.000Z" })),
    });
    await page.press(texts.revokeConfirm);
    await page.shows(words.revoked);
    await page.press(texts.remove);
    await page.findByRole("dialog", { name: texts.removeTitle("ci") });
    page.answer({ [`DELETE ${path}/t1`]: { message: words.removed }, [list]: tokens() });
    await page.press(texts.remove);
    await page.shows(words.removed);
    await page.shows(tokenPageTexts.none);
  });

  test("of an owner who is no admin any more says that it is refused", async () => {
    const owner = { id: "x", name: "Gone", email: "gone@example.test", isActive: false };
    const page = await openTokens([aToken({ owner })]);
    await page.press("ci");
    await page.shows(tokenPageTexts.ownerGone);
  });
});

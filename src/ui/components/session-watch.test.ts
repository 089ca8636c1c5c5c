import { afterEach, describe, expect, setSystemTime, test } from "bun:test";
import { accountTexts } from "#contract/auth-texts.ts";
import { backgroundHeader } from "#contract/proof.ts";
import { accountScreenTexts, factorScreenTexts } from "#ui/features/account/texts.ts";
import { authScreenTexts } from "#ui/features/auth/texts.ts";
import { aCurrentSession, accountAnswers, anAccount, people, someFactors } from "#ui/testing/answers.ts";
import { type OpenPage, openPages, refusal } from "#ui/testing/pages.ts";
import type { Call } from "#ui/testing/scripted-api.ts";
import { watchTexts } from "./session-watch.tsx";
import { shieldTexts } from "./shield-menu.tsx";

const open = openPages();
afterEach(() => setSystemTime());

const route = "GET /api/account/session";
const minuteMs = 60_000;

const isBackground = ({ headers }: Call) => headers.has(backgroundHeader);

type Server = (call: Call) => object;

/** A session that ends half an hour after its last use, and in any case after so many minutes. */
const session = ({ minutes = 720 } = {}) => {
  const begunMs = Date.now();
  let usedMs = begunMs;
  return (call: Call) => {
    const endsMs = begunMs + minutes * minuteMs;
    const idleEndMs = () => Math.min(usedMs + 30 * minuteMs, endsMs);
    if (Date.now() >= idleEndMs()) return refusal("NOT_SIGNED_IN");
    if (!isBackground(call)) usedMs = Date.now();
    const [idleEndsAt, endsAt] = [new Date(idleEndMs()).toISOString(), new Date(endsMs).toISOString()];
    return { data: aCurrentSession({ idleEndsAt, endsAt }) };
  };
};

const openFor = async (answer: Server, path = "/dashboard") => {
  const account = accountAnswers(anAccount({ user: people.admin }));
  const page = await open(path, { as: "admin", answers: { ...account, [route]: answer } });
  await page.findByRole("link", { name: /^Sessions/ });
  await page.until(() => expect(page.calls(route)).not.toBeEmpty());
  return page;
};

const pass = async (page: OpenPage, minutes: number) => {
  setSystemTime(new Date(Date.now() + minutes * minuteMs));
  await page.passTime(minutes * minuteMs);
};

describe("a session that is not used", () => {
  test("is announced to end two minutes before, and continues if its reader is there", async () => {
    const page = await openFor(session());
    await pass(page, 27);
    expect(page.offers("dialog")).toBe(false);
    await pass(page, 1);
    await page.findByRole("dialog", { name: watchTexts.title });
    await page.shows(/You will be signed out at \d/);
    await page.press(watchTexts.stay);
    await page.until(() => expect(page.offers("dialog")).toBe(false));
    await pass(page, 27);
    expect(page.offers("dialog")).toBe(false);
  });

  test("leads to the sign-in page at its end, which says why", async () => {
    const page = await openFor(session());
    await pass(page, 28);
    await page.findByRole("dialog", { name: watchTexts.title });
    await pass(page, 2);
    await page.isAt("/login?from=%2Fdashboard");
    await page.shows(authScreenTexts.wasSignedOut.idle);
  });

  test("is not used by the page's own requests, only by those that follow an input", async () => {
    const page = await openFor(session());
    await pass(page, 28);
    await page.findByRole("dialog", { name: watchTexts.title });
    expect(page.calls(route).map(isBackground)).toEqual([false, true]);
  });
});

describe("a second factor that is required", () => {
  const required = (daysLeft: number) => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    return () => ({ data: aCurrentSession({ factorRequiredBy: inDays(daysLeft) }) });
  };

  test("is announced with its day while there is time", async () => {
    const page = await openFor(required(3));
    await page.shows(/^Set up two-factor authentication by \w+ \d+\.$/);
    expect(page.offers("link", "Open the admin area")).toBe(true);
  });

  test("leaves nothing but its card once the time is over, wherever the reader goes", async () => {
    const page = await open("/admin/users", {
      as: "admin",
      answers: {
        [route]: required(-1),
        "GET /api/admin/users": refusal("ENROLMENT_REQUIRED"),
        "GET /api/admin/pending-users": refusal("ENROLMENT_REQUIRED"),
        "GET /api/account/passkeys": accountAnswers()["GET /api/account/passkeys"] ?? {},
        "GET /api/account/second-factors": { data: someFactors({ requiredBy: "2026-01-01T00:00:00.000Z" }) },
      },
    });
    await page.isAt("/account/security");
    await page.shows(watchTexts.overdue);
    await page.findByRole("button", { name: factorScreenTexts.setUp });
    expect(page.has(accountScreenTexts.currentPassword)).toBe(false);
  });
});

test("a confirmation is shown until it ends, and can be ended", async () => {
  const until = new Date(Date.now() + 10 * minuteMs).toISOString();
  let confirmedUntil: string | null = until;
  const page = await openFor(() => ({ data: aCurrentSession({ confirmedUntil }) }));
  const shield = await page.findByRole("button", { name: /^Confirmed until \d/ });
  await page.click(shield);
  page.answer({
    "DELETE /api/account/confirm": () => {
      confirmedUntil = null;
      return { message: accountTexts.confirmationEnded };
    },
  });
  await page.click(await page.findByRole("menuitem", { name: shieldTexts.end }));
  await page.shows(accountTexts.confirmationEnded);
  await page.until(() => expect(page.queryAllByRole("button", { name: /^Confirmed/ }).length).toBe(0));
  confirmedUntil = until;
  await page.reload();
  await page.findByRole("button", { name: /^Confirmed until \d/ });
  await pass(page, 10);
  await page.until(() => expect(page.queryAllByRole("button", { name: /^Confirmed/ }).length).toBe(0));
});

test("a reader who types without a request stays signed in; the page looks every five minutes in any case", async () => {
  const page = await openFor(session(), "/account");
  await pass(page, 10);
  await page.click(page.getByLabelText("Full Name"));
  await page.keys("A");
  await page.until(() => {
    const asked = page.calls(route).map(isBackground);
    expect([asked.includes(true), asked.filter((is) => !is).length]).toEqual([true, 2]);
  });
  await pass(page, 20);
  expect(page.offers("dialog")).toBe(false);
});

test("a session that reaches its limit ends without a question, and the sign-in page says why", async () => {
  const page = await openFor(session({ minutes: 25 }));
  await pass(page, 24);
  expect(page.offers("dialog")).toBe(false);
  await pass(page, 1);
  await page.isAt("/login?from=%2Fdashboard");
  await page.shows(authScreenTexts.wasSignedOut.limit);
});

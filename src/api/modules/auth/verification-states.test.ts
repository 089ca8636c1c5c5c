import { beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { eq } from "drizzle-orm";
import { pendingRegistrations } from "#api/db/schema.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { type TestContext, testContext } from "#api/testing/context.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { createFixedSettings } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { newPerson, tokenIn } from "#api/testing/people.ts";
import { createRandom } from "#api/testing/random.ts";
import { sized } from "#api/testing/size.ts";
import {
  type Act,
  type BrowserName,
  minute,
  nameOf,
  type Outcome,
  passwordOf,
  registers,
  verificationStates,
} from "#api/testing/verification-states.ts";
import { emailKey } from "#contract/account-rules.ts";
import { type AccountSettings, accountSettings } from "#contract/core-settings.ts";
import { limits } from "#contract/limits.ts";
import { register, resendVerification, verifyEmail } from "./registration.ts";
import { login } from "./sign-in.ts";

setDefaultTimeout(120_000);

const settings = createFixedSettings();
const host = await hostForFile({ hasher: createCheapHasher(), settings });
beforeEach(() => settings.setAccounts(accountSettings.defaults));

const places: Record<BrowserName, string> = { o1: "198.51.100.1", o2: "198.51.100.2", s1: "203.0.113.7" };

/** Browsers of one story, each with its cookie, and a mailbox that only O reads. */
const openStory = () => {
  const { email } = newPerson();
  const cookies = new Map<BrowserName, string>();
  const firstMail = host.mails.length;
  const call = async (browser: BrowserName, path: string, body: unknown) => {
    const cookie = cookies.get(browser);
    const headers = { "x-forwarded-for": places[browser], ...(cookie === undefined ? {} : { cookie }) };
    const answer = await host.visitor().call("POST", `/api/auth/${path}`, body, headers);
    for (const set of answer.headers.getSetCookie()) {
      const pending = /^pending=[^;]*/.exec(set)?.[0];
      if (pending !== undefined) cookies.set(browser, pending);
    }
    const { code = null, data = null } = await answer.json();
    return { status: answer.status, code, data };
  };
  const act = async (what: Act): Promise<void> => {
    if (what === minute) host.clock.advance(limits.mailCooldownMs);
    else if ("asksAgainIn" in what) await call(what.asksAgainIn, "resend-verification", { email });
    else {
      const whose: Outcome = `${what.registers} in ${what.in}`;
      const body = { name: nameOf(whose), email, password: passwordOf(whose) };
      expect(await call(what.in, "register", body)).toMatchObject({ status: 201 });
    }
  };
  return {
    email,
    act,
    mails: () => host.mails.slice(firstMail),
    tokens: () => host.mails.slice(firstMail).map(tokenIn),
    open: (browser: BrowserName, token: string, body: object = {}) =>
      call(browser, `verify-email/${token}`, body),
    signIn: async (outcome: Outcome) =>
      (await call("s1", "login", { email, password: passwordOf(outcome) })).status,
    waiting: () =>
      host.db
        .select()
        .from(pendingRegistrations)
        .where(eq(pendingRegistrations.emailKey, emailKey(email))),
  };
};

describe("O6: every row of the state table: whatever link is followed,", () => {
  const cases = verificationStates.flatMap(({ title, acts, mails, opens }) =>
    (["o1", "o2"] as const).flatMap((browser) =>
      Array.from({ length: mails }, (_, mail) => ({
        title: `${title}; link ${mail + 1} opened in ${browser} makes the account ${opens[browser]}`,
        ...{ acts, mails, mail, browser, outcome: opens[browser] },
      })),
    ),
  );

  test.each(cases)("$title", async ({ acts, mails, mail, browser, outcome }) => {
    const story = openStory();
    for (const act of acts) await story.act(act);
    const tokens = story.tokens();
    expect(tokens).toHaveLength(mails);
    const token = tokens[mail] ?? "";
    const isChosen = outcome === "chosen";
    if (isChosen) {
      expect(await story.open(browser, token)).toMatchObject({ status: 409, code: "PASSWORD_WANTED" });
      const chosen = { name: nameOf("chosen"), password: passwordOf("chosen") };
      expect(await story.open(browser, token, chosen)).toMatchObject({ status: 201 });
    } else expect(await story.open(browser, token)).toMatchObject({ status: 200 });
    const typed: Outcome[] = ["O in o1", "O in o2", "S in s1", "S in o1", "chosen"];
    const opening = [];
    for (const password of typed) if ((await story.signIn(password)) === 200) opening.push(password);
    expect(opening).toEqual([outcome]);
    for (const dead of tokens)
      for (const where of ["o1", "o2", "s1"] as const)
        expect(await story.open(where, dead)).toMatchObject({ status: 400, code: "TOKEN_INVALID" });
    expect(await story.waiting()).toEqual([]);
  });

  describe("under always-choose", () => {
    test.each(cases)("$title, but there it is always chosen", async ({ acts, mail, browser }) => {
      settings.setAccounts({ ...accountSettings.defaults, verification: "always-choose" });
      const story = openStory();
      for (const act of acts) await story.act(act);
      const token = story.tokens()[mail] ?? "";
      expect(await story.open(browser, token)).toMatchObject({ status: 409, code: "PASSWORD_WANTED" });
      const chosen = { name: nameOf("chosen"), password: passwordOf("chosen") };
      expect(await story.open(browser, token, chosen)).toMatchObject({ status: 201 });
      for (const typed of ["O in o1", "O in o2", "S in s1", "S in o1"] as const)
        expect([typed, await story.signIn(typed)]).toEqual([typed, 401]);
      expect(await story.signIn("chosen")).toBe(200);
    });
  });

  test("S registers or asks again after O's account exists: nothing for S, and O is told", async () => {
    const story = openStory();
    await story.act(registers("O", "o1"));
    await story.open("o1", story.tokens()[0] ?? "");
    await story.act(minute);
    await story.act(registers("S", "s1"));
    await story.act(minute);
    await story.act({ asksAgainIn: "s1" });
    expect(story.mails().map(({ subject }) => subject)).toEqual([
      "Confirm your email address",
      "You already have an account",
    ]);
    expect([await story.signIn("O in o1"), await story.signIn("S in s1")]).toEqual([200, 403]);
    host.clock.advance(limits.verificationTokenMs);
    expect(await story.signIn("S in s1")).toBe(401);
  });
});

describe("O6: the model over the real store", () => {
  type Registered = { by: "O" | "S"; in: BrowserName; password: string };

  /** Acts at random until O opens a link; resolves to what was done, for a failure to be told. */
  const play = async (ctx: TestContext, seed: number): Promise<string[]> => {
    const { pick } = createRandom(seed);
    const verification = pick<AccountSettings["verification"]>(["same-browser", "always-choose"]);
    settings.setAccounts({ ...accountSettings.defaults, verification });
    const { email } = newPerson();
    const cookies = new Map<BrowserName, string>();
    const made: Registered[] = [];
    const firstMail = ctx.mails.length;
    const said: string[] = [verification];
    const at = (browser: BrowserName): TestContext => ({ ...ctx, ip: places[browser] });
    for (let step = 0; step < 8; step += 1) {
      const what = pick(["minute", "register", "register", "resend", "resend"]);
      const by = pick<"O" | "S">(["O", "S"]);
      // The profile o1 is one that both may use.
      const browser = pick<BrowserName>(by === "S" ? ["s1", "s1", "o1"] : ["o1", "o2"]);
      said.push(`${what} ${browser}`);
      if (what === "minute") ctx.clock.advance(limits.mailCooldownMs);
      if (what === "register") {
        const password = `typed by ${by}, number ${made.length}`;
        const { browserToken } = await register(at(browser), {
          name: `Name ${made.length}`,
          email,
          password,
        });
        made.push({ by, in: browser, password });
        cookies.set(browser, browserToken);
      }
      if (what === "resend")
        await resendVerification(at(browser), { email, browserToken: cookies.get(browser) ?? null });
    }
    const links = ctx.mails.slice(firstMail).map(tokenIn);
    const [first, ...others] = links;
    if (first === undefined) return said;
    const link = pick([first, ...others]);
    const opener = pick<"o1" | "o2">(["o1", "o2"]);
    said.push(`open ${links.indexOf(link) + 1} of ${links.length} in ${opener}`);
    const isChosen = verification === "always-choose";
    const own = isChosen ? undefined : made.findLast((one) => one.in === opener);
    const chosen = { name: "Olive Owner", password: "chosen at the link" };
    const followed = { token: link, browserToken: cookies.get(opener) ?? null };
    if (own === undefined) {
      expect([said, await failureOf(verifyEmail(ctx, followed))]).toMatchObject([
        said,
        { kind: "PASSWORD_WANTED" },
      ]);
      await verifyEmail(ctx, { ...followed, ...chosen });
    } else await verifyEmail(ctx, followed);
    const expected = own?.password ?? chosen.password;
    for (const { password } of [...made, chosen]) {
      const outcome = await login(at("s1"), { email, password }).then(
        () => "in",
        () => "out",
      );
      expect([said, password, outcome]).toEqual([said, password, password === expected ? "in" : "out"]);
    }
    for (const token of links)
      expect(await failureOf(verifyEmail(ctx, { token, ...chosen }))).toMatchObject({
        kind: "TOKEN_INVALID",
      });
    return said;
  };

  const sequences = sized(40, 2_000);
  test(`in ${sequences} sequences of acts S gets into the account that O opens only where O confirms what S did in O's own browser`, async () => {
    const ctx = { ...testContext({ db: host.db }), hasher: createCheapHasher(), settings };
    const opened = [];
    for (let seed = 1; seed <= sequences; seed += 1)
      opened.push(...(await play(ctx, seed)).filter((act) => act.startsWith("open")));
    expect(opened.length).toBeGreaterThan(sequences / 2);
  });
});

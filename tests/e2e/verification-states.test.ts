import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import type { Browser, BrowserContext } from "playwright-core";
import {
  type Act,
  type BrowserName,
  minute,
  nameOf,
  type Outcome,
  passwordOf,
  verificationStates,
} from "#api/testing/verification-states.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import { launchBrowser, openPage } from "../driver/browser.ts";
import { mailedLinks } from "../driver/outbox.ts";
import { createPerson } from "../driver/person.ts";
import { removeFolder, type ServerProcess, startServer } from "../driver/start-server.ts";
import { type PostgresServer, startPostgres } from "../services/postgres.ts";

let browser: Browser;
let database: PostgresServer;
let sql: SQL;
let server: ServerProcess;
beforeAll(async () => {
  database = await startPostgres();
  const url = await database.createDatabase();
  sql = new SQL(url);
  [server, browser] = await Promise.all([startServer({ env: { DATABASE_URL: url } }), launchBrowser()]);
}, 90_000);
afterAll(async () => {
  await Promise.all([browser.close(), sql.close()]);
  await server.stop();
  database.stop();
  removeFolder(server.dataDir);
});

/** The browsers of one story, each with its own cookies, and what is mailed to an address of its own. */
const openStory = () => {
  const email = `olive.${crypto.randomUUID()}@states.example`;
  const visits = new Map<BrowserName, ReturnType<typeof openPage>>();
  const visit = (name: BrowserName) => {
    const opened = visits.get(name) ?? openPage(browser, { width: 1280, theme: "light" });
    visits.set(name, opened);
    return opened;
  };
  const post = async ({ request }: BrowserContext, call: string, data: object) =>
    (
      await request.post(`${server.url}/api/auth/${call}`, { data, headers: { origin: server.url } })
    ).status();
  return {
    email,
    visit,
    act: async (what: Act): Promise<void> => {
      if (what === minute)
        await sql`update mail_cooldowns set mailed_at = mailed_at - ${limits.mailCooldownMs} * interval '1 ms'`;
      else if ("asksAgainIn" in what)
        expect(await post((await visit(what.asksAgainIn)).context, "resend-verification", { email })).toBe(
          200,
        );
      else {
        const whose: Outcome = `${what.registers} in ${what.in}`;
        const registration = { name: nameOf(whose), email, password: passwordOf(whose) };
        expect(await post((await visit(what.in)).context, "register", registration)).toBe(201);
      }
    },
    signIn: async (outcome: Outcome) => {
      const login = { email, password: passwordOf(outcome) };
      return (await createPerson(server.url).call("POST", "/api/auth/login", login)).status;
    },
    leave: async () => {
      for (const { context, complaints } of await Promise.all(visits.values())) {
        await context.close();
        expect(complaints).toEqual([]);
      }
    },
  };
};

describe("O6: every row of the state table in real browsers:", () => {
  // The first link in the one, the last in the other; over HTTP each link is followed in each.
  const cases = verificationStates.flatMap(({ title, acts, mails, opens }) =>
    (["o1", "o2"] as const).map((opener) => ({
      title: `${title}; a link opened in ${opener} makes the account ${opens[opener]}`,
      ...{ acts, mails, opener, outcome: opens[opener], at: opener === "o1" ? 0 : mails - 1 },
    })),
  );

  test.each(cases)("$title", async ({ acts, mails, opener, outcome, at }) => {
    const story = openStory();
    for (const act of acts) await story.act(act);
    const links = await mailedLinks(server.dataDir, { to: story.email, path: "/verify-email", count: mails });
    const { page } = await story.visit(opener);
    await page.goto(links[at] ?? "");
    if (outcome === "chosen") {
      await page.getByRole("heading", { level: 1, name: "Choose your password" }).waitFor();
      await page.getByLabel("Full Name").fill(nameOf("chosen"));
      await page.getByLabel("New Password", { exact: true }).fill(passwordOf("chosen"));
      await page.getByLabel("Confirm Password").fill(passwordOf("chosen"));
      await page.getByRole("button", { name: "Create account" }).click();
      await page.getByText(authTexts.accountCreated).waitFor();
    } else {
      await page.getByText(authTexts.verified).waitFor();
      await page.getByText(`You signed up as ${nameOf(outcome)}. Not you?`).waitFor();
    }
    const typed: Outcome[] = ["O in o1", "O in o2", "S in s1", "S in o1", "chosen"];
    const opening = [];
    for (const words of typed) if ((await story.signIn(words)) === 200) opening.push(words);
    expect(opening).toEqual([outcome]);
    await story.leave();
  });
});

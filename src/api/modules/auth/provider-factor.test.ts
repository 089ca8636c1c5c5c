import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { hashToken } from "#api/core/ids.ts";
import { identities, recoveryCodes, sessions } from "#api/db/schema.ts";
import { addAccount } from "#api/testing/identity/local-accounts.ts";
import { newMockPerson } from "#api/testing/identity/mock-person.ts";
import { signInStageForFile } from "#api/testing/identity/sign-in-stage.ts";
import type { TestBrowser } from "#api/testing/identity/test-browser.ts";
import { providerIdFields, providerNames } from "#contract/users.ts";

const stage = await signInStageForFile();

const recoveryCode = "q436-335n-mzd7-mng8";

const addOwner = async (email: string, ids: object): Promise<string> => {
  const { db, clock } = stage.host;
  const id = await addAccount(stage.host, email, { ...ids, secondFactorAt: clock.now() });
  const codeHash = hashToken(recoveryCode.replaceAll("-", ""));
  await db.insert(recoveryCodes).values({ userId: id, codeHash });
  return id;
};

const finish = ({ cookies }: TestBrowser) => {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return stage.host.visitor().call("POST", "/api/auth/login/factor", { recoveryCode }, { cookie });
};

for (const provider of providerNames)
  test(`A9: ${provider} asks for the second factor before a session begins`, async () => {
    const person = newMockPerson();
    const id = await addOwner(String(person.email), { [providerIdFields[provider]]: person.subject });
    const { browser, location } = await stage.signIn(provider, person);
    expect(location).toBe("/login?step=factor&from=%2Fdashboard");
    expect([...browser.cookies.keys()]).toEqual(["step"]);
    // The one that the account came with.
    expect(await stage.host.db.select().from(sessions).where(eq(sessions.userId, id))).toHaveLength(1);
    const answer = await finish(browser);
    expect([answer.status, (await answer.json()).user?.id]).toEqual([200, id]);
  });

test("a sign-in through a provider does not count anymore once the provider is unlinked", async () => {
  const person = newMockPerson();
  const id = await addOwner(String(person.email), { googleId: person.subject });
  const { browser } = await stage.signIn("google", person);
  await stage.host.db.delete(identities).where(eq(identities.userId, id));
  expect((await finish(browser)).status).toBe(401);
});

test.each([
  ["with a second factor", (email: string) => addOwner(email, {})],
  ["of an admin", (email: string) => addAccount(stage.host, email, { role: "admin" })],
])("an account %s is never linked by its email address alone, and its owner is told how", async (_, add) => {
  const person = newMockPerson();
  const id = await add(String(person.email));
  const { browser, location } = await stage.signIn("google", person);
  expect([location, [...browser.cookies.keys()]]).toEqual(["/login?error=link_first", []]);
  expect(await stage.host.db.select().from(identities).where(eq(identities.userId, id))).toEqual([]);
});

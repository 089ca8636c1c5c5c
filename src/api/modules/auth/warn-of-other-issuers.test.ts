import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  createIdentityProviders,
  environmentProviders,
  issuersOf,
} from "#api/adapters/identity-provider/create-identity-providers.ts";
import type { IdentityProvider } from "#api/core/context.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { createTestHost, type TestHost, testOrigin } from "#api/testing/host.ts";
import { type MockOpenId, startMockOpenId } from "#api/testing/identity/mock-open-id.ts";
import { type MockPerson, newMockPerson } from "#api/testing/identity/mock-person.ts";
import { createTestBrowser } from "#api/testing/identity/test-browser.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { warnOfOtherIssuers } from "./providers.ts";

const providers = new Map<string, IdentityProvider>();
let host: TestHost;
let first: MockOpenId;
let second: MockOpenId;
beforeAll(async () => {
  [first, second] = await Promise.all([startMockOpenId(), startMockOpenId()]);
  host = await createTestHost({ providers, hasher: createCheapHasher() });
});
afterAll(async () => {
  await host.close();
  await Promise.all([first.stop(), second.stop()]);
});

/** What the log is warned of when the server starts with this issuer, whose people are those of `former` where it is given. */
const startWith = async (issuer: MockOpenId, former: MockOpenId = issuer) => {
  const log = createRecordingLog();
  const config = {
    ...{ google: issuer.client, github: null, googleIssuer: issuer.url, googleFormerIssuer: former.url },
    ...{
      githubBaseUrl: "https://github.com",
      githubFormerBaseUrl: null,
      githubApiUrl: "https://api.github.com",
      oidcProviders: [],
    },
  };
  for (const [id, provider] of createIdentityProviders({ config, appUrl: testOrigin }))
    providers.set(id, provider);
  await warnOfOtherIssuers({ db: host.db, log }, issuersOf(environmentProviders(config)));
  return log.entries;
};

const signIn = async (issuer: MockOpenId, person: MockPerson) => {
  issuer.become(person);
  const browser = createTestBrowser(host);
  const location = await browser.signIn("/api/auth/google");
  return { location, user: location === "/dashboard" ? await browser.user() : null };
};

test("O5: a subject of another issuer is a stranger's, and is linked to no one who is linked already", async () => {
  const [ada, bob] = [newMockPerson(), newMockPerson()];
  expect(await startWith(first)).toEqual([]);
  const { user: owner } = await signIn(first, ada);

  const [warning] = await startWith(second);
  expect(warning).toMatchObject({
    level: "warn",
    fields: { accounts: 1, former: first.url, now: second.url },
  });
  expect(String(warning?.fields?.remedy)).toContain(`set GOOGLE_FORMER_ISSUER=${first.url}`);
  const stranger = await signIn(second, { ...bob, subject: ada.subject });
  expect([stranger.location, stranger.user?.id === owner?.id]).toEqual(["/dashboard", false]);
  expect((await signIn(second, { ...bob, subject: ada.subject })).user?.id).toBe(stranger.user?.id);
  const nowhere = { ...newMockPerson(), subject: newMockPerson().subject, email: null };
  expect((await signIn(second, nowhere)).location).toBe("/login?error=auth_failed");
  expect((await signIn(second, ada)).user?.id).not.toBe(owner?.id);
  expect((await signIn(second, { ...ada, subject: "unheard of" })).location).toBe("/login?error=auth_failed");

  // Now whoever signed in first at the other issuer is the stranger.
  const left = [{ level: "warn", fields: { accounts: 1, former: second.url, now: first.url } }];
  expect(await startWith(second, first)).toMatchObject(left);
  expect((await signIn(second, ada)).user?.id).toBe(owner?.id);
  expect(await startWith(first)).toMatchObject(left);
  expect((await signIn(first, ada)).user?.id).toBe(owner?.id);
});

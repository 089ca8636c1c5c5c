import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { users } from "#api/db/schema.ts";
import { userColumns } from "#api/db/user-rows.ts";
import { newMockPerson } from "#api/testing/identity/mock-person.ts";
import { signInStageForFile } from "#api/testing/identity/sign-in-stage.ts";
import { locationOf } from "#api/testing/identity/test-browser.ts";
import { type ProviderName, providerIdFields, providerNames } from "#contract/users.ts";

setDefaultTimeout(60_000);

const stage = await signInStageForFile();

/** Goes to the provider as often as it is listed, then comes back in all browsers at the same time; who each of them is then. */
const comeBackAtOnce = async (providers: ProviderName[]) => {
  const ways = [];
  for (const provider of providers) {
    const browser = stage.browser();
    ways.push({ browser, path: await browser.goToProvider(`/api/auth/${provider}`) });
  }
  const answers = await Promise.all(ways.map(({ browser, path }) => browser.open(path)));
  expect(answers.map(locationOf)).toEqual(providers.map(() => "/dashboard"));
  return Promise.all(ways.map(({ browser }) => browser.user()));
};

describe.each([...providerNames])("O5: a person whom %s knows", (provider) => {
  const column = providerIdFields[provider];

  test("is the same user with another address, and the account keeps its own", async () => {
    const person = newMockPerson();
    const first = await (await stage.signIn(provider, person)).browser.user();
    const moved = newMockPerson({ subject: person.subject });
    const second = await (
      await stage.signIn(provider, { ...moved, email: `moved.${moved.email}` })
    ).browser.user();
    expect(second).toEqual(first);
    const nowhere = { ...person, email: null, isEmailVerified: false };
    expect(await (await stage.signIn(provider, nowhere)).browser.user()).toEqual(first);
  });

  test("is not someone else who has the address by now", async () => {
    const person = newMockPerson();
    const first = await (await stage.signIn(provider, person)).browser.user();
    const heir = newMockPerson({ email: person.email ?? null });
    const { browser, location } = await stage.signIn(provider, heir);
    expect([location, await browser.user()]).toEqual(["/login?error=auth_failed", null]);
    expect(first?.[column]).toBe(person.subject);
  });

  test("is one user, however many times they come for the first time simultaneously", async () => {
    const person = newMockPerson();
    stage[provider].become(person);
    const signedIn = await comeBackAtOnce(Array<ProviderName>(20).fill(provider));
    expect(new Set(signedIn.map((user) => user?.id)).size).toBe(1);
    const rows = (await stage.host.db.select(userColumns).from(users)).filter(
      (row) => row.subjects[provider] === person.subject,
    );
    expect(rows.map(({ email }) => email)).toEqual([String(person.email)]);
  });
});

test("O5: someone who comes from both providers simultaneously for the first time is one user with both identities", async () => {
  const person = newMockPerson();
  const other = newMockPerson({ email: person.email ?? null });
  stage.google.become(person);
  stage.github.become(other);
  const signedIn = await comeBackAtOnce(
    Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? "google" : "github")),
  );
  expect(new Set(signedIn.map((user) => user?.id)).size).toBe(1);
  expect(signedIn[0]).toMatchObject({ email: String(person.email) });
  const rows = (await stage.host.db.select(userColumns).from(users)).filter(
    ({ subjects }) => subjects.google === person.subject,
  );
  expect(rows.map(({ subjects }) => subjects.github)).toEqual([other.subject]);
});

test("O5: the number of a person at one provider says nothing about the other", async () => {
  const person = newMockPerson();
  const stranger = newMockPerson({ subject: person.subject });
  const first = await (await stage.signIn("google", person)).browser.user();
  const second = await (
    await stage.signIn("github", { ...stranger, email: `x.${stranger.email}` })
  ).browser.user();
  expect(second?.id).not.toBe(String(first?.id));
});

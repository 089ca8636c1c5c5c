import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { identities, sessions, users } from "#api/db/schema.ts";
import { addIdentity } from "#api/testing/identity/add-identity.ts";
import { newMockPerson } from "#api/testing/identity/mock-person.ts";
import { signInStageForFile } from "#api/testing/identity/sign-in-stage.ts";
import { tokenIn } from "#api/testing/people.ts";
import { linkUndoTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import { removeLink } from "./provider-store.ts";

const stage = await signInStageForFile();

/** A user whom a sign-in with Google has just linked, and the link's token in the email about it. */
const linked = async () => {
  const { user } = await stage.host.signedIn("user");
  if (user === null) throw new Error("no one is signed in");
  const person = newMockPerson({ email: user.email });
  await stage.signIn("google", person);
  const mail = stage.host.mails.findLast(
    ({ to, subject }) => to === user.email && subject.includes("linked"),
  );
  return { user, person, token: tokenIn(mail) };
};

const call = (method: "GET" | "POST", token: string) =>
  stage.host.request(`/api/auth/unlink-provider/${token}`, {
    method,
    ...(method === "GET" ? {} : { body: "{}", headers: { "content-type": "application/json" } }),
  });

const stateOf = async (userId: string) => ({
  linked: await stage.host.db.$count(identities, eq(identities.userId, userId)),
  sessions: await stage.host.db.$count(sessions, eq(sessions.userId, userId)),
});

test("the link of the email says what it unlinks; followed through it unlinks that once, ends all sessions and emails a notice", async () => {
  const [{ user, token }, other] = [await linked(), await linked()];
  expect((await (await call("GET", token)).json()).data).toEqual({ provider: "Google" });
  expect(await stateOf(user.id)).toEqual({ linked: 1, sessions: 2 });
  const answers = await Promise.all([call("POST", token), call("POST", token)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  const done = answers.find(({ status }) => status === 200);
  expect(await done?.json()).toMatchObject({ message: linkUndoTexts.done, data: {} });
  expect(await stateOf(user.id)).toEqual({ linked: 0, sessions: 0 });
  expect(await stateOf(other.user.id)).toEqual({ linked: 1, sessions: 2 });
  const subjects = stage.host.mails.filter(({ to }) => to === user.email).map(({ subject }) => subject);
  expect(subjects.slice(-1)).toEqual(["Google was unlinked from your account"]);
});

test("where nothing else opens the account here, the answer leads to a new password", async () => {
  const { user, token } = await linked();
  const former = { provider: "github", issuer: "https://former.example", subject: crypto.randomUUID() };
  await addIdentity(stage.host.db, { userId: user.id, ...former });
  await stage.host.db.update(users).set({ passwordHash: null }).where(eq(users.id, user.id));
  const { resetToken } = (await (await call("POST", token)).json()).data;
  expect((await stage.host.request(`/api/auth/reset-password/${resetToken}`)).status).toBe(200);
});

type Linked = Awaited<ReturnType<typeof linked>>;

const spoilt: [string, (scene: Linked) => Promise<unknown>][] = [
  ["after 7 days", async () => stage.host.clock.advance(limits.linkUndoMs)],
  [
    "once it was unlinked, though linked again",
    async ({ user, person }) => {
      await removeLink(stage.host.db, user.id, "google", stage.host.clock.now());
      await stage.signIn("google", person);
    },
  ],
  [
    "for a disabled account",
    async ({ user }) =>
      stage.host.db.update(users).set({ disabledAt: stage.host.clock.now() }).where(eq(users.id, user.id)),
  ],
];

test.each(spoilt)("the link is refused %s, and changes nothing", async (_, spoil) => {
  const scene = await linked();
  await spoil(scene);
  const before = await stateOf(scene.user.id);
  const answer = await call("POST", scene.token);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ code: "TOKEN_INVALID" });
  expect(await stateOf(scene.user.id)).toEqual(before);
});

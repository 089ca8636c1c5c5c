import { beforeEach, describe, expect, test } from "bun:test";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf, withoutLog } from "#api/testing/contents.ts";
import { createFixedSettings } from "#api/testing/fixed-settings.ts";
import { createTestHost } from "#api/testing/host.ts";
import { withoutStates } from "#api/testing/identity/local-accounts.ts";
import { newMockPerson } from "#api/testing/identity/mock-person.ts";
import { signInStageForFile } from "#api/testing/identity/sign-in-stage.ts";
import { newPerson, tokenIn } from "#api/testing/people.ts";
import { type AccountSettings, accountSettings } from "#contract/core-settings.ts";
import { issueSetupLink } from "./index.ts";

const settings = createFixedSettings();
const allow = (registration: AccountSettings["registration"], domains: string[] = []) =>
  settings.setAccounts({ ...accountSettings.defaults, registration, domains });

const stage = await signInStageForFile({ settings });
beforeEach(() => allow("open"));

const send = async (path: string, body: unknown) => {
  const response = await stage.host.visitor().call("POST", `/api/auth/${path}`, body);
  const { code, message } = await response.json();
  return { status: response.status, code, message };
};
const stored = async () => withoutLog(await contentsOf(stage.host.db));
const refused = (message: string) => ({ status: 403, code: "REGISTRATION_CLOSED", message });

test("the first administrator is set up whatever the policy is", async () => {
  allow("closed");
  const host = await createTestHost({ settings, hasher: createCheapHasher() });
  try {
    const link = await issueSetupLink(host.services);
    const token = new URL(link ?? "").searchParams.get("token");
    const { status } = await host.visitor().call("POST", "/api/auth/setup", { token, ...newPerson() });
    expect(status).toBe(201);
  } finally {
    await host.close();
  }
});

describe("who may register", () => {
  test.each([
    ["one@b.example", 201],
    ["two@B.Example", 201],
    ["three@x.b.example", 403],
    ["four@notb.example", 403],
    ["five@c.example", 403],
    ["six@x.c.example", 201],
    ["seven@x.y.c.example", 201],
    ["eight@xc.example", 403],
    ["b.example@d.example", 403],
    ["nine@xn--mller-kva.example", 201],
  ])(
    "where b.example, *.c.example and müller.example are listed: %s is answered %i",
    async (email, status) => {
      allow("domains", ["b.example", "*.c.example", "müller.example"]);
      expect((await send("register", newPerson({ email }))).status).toBe(status);
    },
  );

  test.each([
    ["domains", "Registration is open to addresses at b.example or *.c.example."],
    ["invite", "Registration is by invitation only."],
    ["closed", "Registration is closed."],
  ] as const)(
    "%s: others are refused, a new link included, with the reason that pages show",
    async (policy, message) => {
      allow(policy, ["b.example", "*.c.example"]);
      const before = await stored();
      const person = newPerson();
      expect(await send("register", person)).toEqual(refused(message));
      expect(await send("resend-verification", { email: person.email })).toEqual(refused(message));
      expect(await stored()).toEqual(before);
      const told = await (await stage.host.visitor().call("GET", "/api/auth/providers")).json();
      expect(told.data.registration).toEqual({ policy, notice: message });
    },
  );
});

test("a link that was emailed before registration was closed still makes the account", async () => {
  const person = newPerson();
  await send("register", person);
  const token = tokenIn(stage.host.mails.findLast(({ to }) => to === person.email));
  allow("closed");
  const { name, password } = person;
  expect((await send(`verify-email/${token}`, { name, password })).status).toBe(201);
  expect((await send("login", { email: person.email, password })).status).toBe(200);
});

test("an invitation lets in who comes from a provider with that address verified, once and in its role", async () => {
  allow("closed");
  const admin = await stage.host.signedIn("admin");
  const person = newMockPerson();
  const invitations = [{ email: person.email, role: "admin" }];
  await admin.call("POST", "/api/admin/invitations", { invitations });
  const stateOf = async () => {
    const { data } = await (await admin.call("GET", "/api/admin/invitations")).json();
    return data.invitations[0].state;
  };
  const unverified = newMockPerson({ email: person.email ?? null, isEmailVerified: false });
  const { browser: stranger } = await stage.signIn("google", unverified);
  expect([await stranger.user(), await stateOf()]).toEqual([null, "waiting"]);
  const { browser, location } = await stage.signIn("google", person);
  expect([location, (await browser.user())?.role, await stateOf()]).toEqual([
    "/dashboard",
    "admin",
    "accepted",
  ]);
  // Setting up a second factor that is required of administrators is part of accepting.
  settings.setAccounts({ ...accountSettings.defaults, secondFactor: "admins" });
  expect((await (await browser.open("/api/admin")).json()).code).toBe("ENROLMENT_REQUIRED");
});

test("a new user who comes from a provider is led to the reason, and one with an account is signed in", async () => {
  const known = newMockPerson();
  await stage.signIn("google", known);
  allow("invite");
  const before = withoutStates(await stored());
  const { location } = await stage.signIn("github", newMockPerson());
  expect(location).toBe("/login?error=registration_closed");
  expect(withoutStates(await stored())).toEqual(before);
  expect((await stage.signIn("google", known)).location).toBe("/dashboard");
});

import { eq } from "drizzle-orm";
import { subjectAt } from "#api/core/actor.ts";
import { hashToken } from "#api/core/ids.ts";
import { knownDevices, pendingRegistrations, sessions, users } from "#api/db/schema.ts";
import { userColumns } from "#api/db/user-rows.ts";
import type { TestHost } from "#api/testing/host.ts";
import { emailKey } from "#contract/account-rules.ts";
import { providerNames } from "#contract/users.ts";
import { addIdentity } from "./add-identity.ts";

/** What an account is like besides its address; ids are those at the providers of the host. */
export type LocalAccount = Partial<typeof users.$inferInsert> & {
  isVerified?: boolean;
  googleId?: string;
  githubId?: string;
};

/** The cookies of an account made by {@link addAccount}. */
export const cookiesOf = (id: string) => ({ sid: tokenLike("sid", id), device: tokenLike("device", id) });

const tokenLike = (kind: string, id: string): string =>
  Buffer.from(hashToken(kind + id), "hex").toString("base64url");

/** Puts an account into the database with a password, a session and a known browser; resolves to its id. */
export const addAccount = async (
  { db, clock, services }: TestHost,
  email: string,
  { isVerified = true, googleId, githubId, ...more }: LocalAccount = {},
): Promise<string> => {
  const id = crypto.randomUUID();
  const now = clock.now();
  const { sid, device } = cookiesOf(id);
  await db.insert(users).values({
    id,
    name: "Local Person",
    email,
    emailKey: emailKey(email),
    emailVerifiedAt: isVerified ? now : null,
    passwordHash: "hash-of-whoever-made-it",
    ...more,
  });
  const subjects = { google: googleId, github: githubId };
  for (const provider of providerNames) {
    const subject = subjects[provider];
    const issuer = services.providers.get(provider)?.issuer;
    if (subject !== undefined && issuer !== undefined)
      await addIdentity(db, { userId: id, provider, issuer, subject });
  }
  await db.insert(sessions).values({
    tokenHash: hashToken(sid),
    id: crypto.randomUUID(),
    userId: id,
    ip: "203.0.113.1",
    lastUsedAt: now,
    expiresAt: new Date(now.getTime() + 24 * 60 * 60 * 1000),
  });
  await db.insert(knownDevices).values({ tokenHash: hashToken(device), userId: id, lastUsedAt: now });
  return id;
};

/** Puts a registration whose link waits to be followed into the database; the token in its link. */
export const addRegistration = async ({ db, clock }: TestHost, email: string): Promise<string> => {
  const now = clock.now();
  const token = tokenLike("registration", email);
  await db.insert(pendingRegistrations).values({
    id: crypto.randomUUID(),
    name: "Someone Registered",
    email,
    emailKey: emailKey(email),
    passwordHash: "hash-of-whoever-registered",
    tokenHash: hashToken(token),
    mailedAt: now,
    expiresAt: new Date(now.getTime() + 24 * 60 * 60 * 1000),
  });
  return token;
};

/** What the database holds of an account and its address. */
export const readAccount = async ({ db }: TestHost, id: string) => {
  const [user = null] = await db.select(userColumns).from(users).where(eq(users.id, id));
  return {
    user: user && {
      ...user,
      googleId: subjectAt(user, "google"),
      githubId: subjectAt(user, "github"),
    },
    sessions: await db.select().from(sessions).where(eq(sessions.userId, id)),
    devices: await db.select().from(knownDevices).where(eq(knownDevices.userId, id)),
  };
};

/** The registrations of an address that wait. */
export const readRegistrations = ({ db }: TestHost, email: string) =>
  db
    .select()
    .from(pendingRegistrations)
    .where(eq(pendingRegistrations.emailKey, emailKey(email)));

/** Everything that the database holds but for used states: a refusal may use one up and nothing else. */
export const withoutStates = (contents: string[]): string[] =>
  contents.filter((row) => !row.startsWith("usedOauthStates "));

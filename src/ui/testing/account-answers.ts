import type { Account, OwnSession } from "#api/modules/account/contract.ts";
import { people } from "./people.ts";
import type { Answers } from "./scripted-api.ts";

/** An account with a password, on a server without providers, with what a test needs changed. */
export const anAccount = (change: Partial<Account> = {}): Account => ({
  user: people.user,
  hasPassword: true,
  providers: {
    google: { configured: false, linked: false },
    github: { configured: false, linked: false },
  },
  isLastAdmin: false,
  ...change,
});

/** A session of the reader's, not the one in use unless said. */
export const aSession = (change: Partial<OwnSession> = {}): OwnSession => ({
  id: "s1",
  isCurrent: false,
  ip: "203.0.113.7",
  userAgent: null,
  device: "Firefox on Linux",
  createdAt: "2026-10-01T09:05:00.000Z",
  lastUsedAt: "2026-10-02T10:00:00.000Z",
  expiresAt: "2026-11-01T10:00:00.000Z",
  ...change,
});

/** What the account page asks for. */
export const accountAnswers = (
  account: Account = anAccount(),
  sessions: OwnSession[] = [aSession({ id: "s0", isCurrent: true })],
): Answers => ({
  "GET /api/account": { data: account },
  "GET /api/account/sessions": { data: { sessions } },
});

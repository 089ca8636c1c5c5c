import type { Account, CurrentSession, OwnSession } from "#api/modules/account/contract.ts";
import type { MailState } from "#api/modules/mail/contract.ts";
import type { OwnPasskey, OwnPasskeys } from "#api/modules/passkeys/contract.ts";
import type { OwnSecondFactors } from "#api/modules/second-factors/contract.ts";
import type { Credentials, SiteAnswer } from "#api/modules/settings/contract.ts";
import type { SystemStatus } from "#api/modules/system/contract.ts";
import type { ListedUser, UserDetail, UserList } from "#api/modules/users/contract.ts";
import { accountSettings, type CoreSettings, coreSettings } from "#contract/core-settings.ts";
import { siteSettings } from "#contract/site-settings.ts";
import type { User } from "#contract/users.ts";
import type { Answers } from "./scripted-api.ts";

/** Who looks at a page. */
export type Viewer = "visitor" | "user" | "admin";

const createdAt = "2026-01-05T09:00:00.000Z";
const person = { googleId: null, githubId: null, emailVerified: true, createdAt };

/** Someone without rights of their own, and an admin. */
export const people = {
  user: { ...person, id: "grace", name: "Grace Hopper", email: "grace@example.test", role: "user" },
  admin: { ...person, id: "ada", name: "Ada Lovelace", email: "ada@example.test", role: "admin" },
} satisfies Record<Exclude<Viewer, "visitor">, User>;

/** An account with a password, on a server without providers, with what a test needs changed. */
export const anAccount = (change: Partial<Account> = {}): Account => ({
  user: people.user,
  hasPassword: true,
  providers: {
    google: { label: "Google", configured: false, linked: false },
    github: { label: "GitHub", configured: false, linked: false },
  },
  isLastAdmin: false,
  emailChange: null,
  ...change,
});

/** The session in use, which began just now and lasts for a day, with what a test needs changed. */
export const aCurrentSession = (change: Partial<CurrentSession> = {}): CurrentSession => {
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const ends = { idleEndsAt: inHours(24), endsAt: inHours(48) };
  return { now: inHours(0), ...ends, factorRequiredBy: null, confirmedUntil: null, ...change };
};

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

/** No second factor, and none required, with what a test needs changed. */
export const someFactors = (change: Partial<OwnSecondFactors> = {}): OwnSecondFactors => ({
  ...{ totp: null, passkeys: 0, recoveryCodesLeft: 0 },
  ...{ isOffered: true, requiredBy: null },
  ...change,
});

/** A passkey, with what a test needs changed. */
export const aPasskey = (change: Partial<OwnPasskey> = {}): OwnPasskey => ({
  id: "p1",
  credentialId: "AAAA",
  name: "Laptop",
  host: "localhost",
  worksHere: true,
  isSynced: true,
  isBlocked: false,
  createdAt: "2026-10-01T09:05:00.000Z",
  lastUsedAt: null,
  ...change,
});

/** The answer with someone's passkeys. */
export const passkeysOf = (...passkeys: OwnPasskey[]): { data: OwnPasskeys } => ({
  data: { isOffered: true, suggestedName: "Firefox on Linux", passkeys },
});

/** What the account page asks for. */
export const accountAnswers = (
  account: Account = anAccount(),
  sessions: OwnSession[] = [aSession({ id: "s0", isCurrent: true })],
): Answers => ({
  "GET /api/account": { data: account },
  "GET /api/account/passkeys": passkeysOf(),
  "GET /api/account/second-factors": { data: someFactors() },
  "GET /api/account/sessions": { data: { sessions } },
});

/** Grace Hopper, as a list shows her. */
export const grace: ListedUser = { ...people.user, disabled: false, lastSeenAt: "2026-10-02T10:00:00.000Z" };

/** An answer with one page of a list, of `total` rows in all. */
export const pageOf = <Row>(
  users: Row[],
  total = users.length,
): { data: { users: Row[]; pagination: UserList["pagination"] } } => ({
  data: { users, pagination: { total, totalIsEstimate: false, limit: 25, offset: 0 } },
});

/** Everything about Grace Hopper, with what a test needs changed. */
export const graceInDetail = (change: Partial<UserDetail> = {}): UserDetail => ({
  ...grace,
  hasPassword: true,
  isLastAdmin: false,
  secondFactor: null,
  sessionCount: 1,
  sessions: [
    {
      id: "s1",
      ip: "203.0.113.7",
      userAgent: null,
      device: "Firefox on Linux",
      createdAt: "2026-10-01T09:05:00.000Z",
      lastUsedAt: "2026-10-02T10:00:00.000Z",
      expiresAt: "2026-11-01T10:00:00.000Z",
    },
  ],
  ...change,
});

/** External services as they are before anything is set up, with what a test needs changed. */
export const someCredentials = ({
  redis = {},
  cloudflareR2 = {},
}: {
  redis?: Partial<Credentials["redis"]>;
  cloudflareR2?: Partial<Credentials["cloudflareR2"]>;
} = {}): Credentials => ({
  redis: { endpoint: "", hasPassword: false, ...redis },
  cloudflareR2: {
    bucket: "",
    token: "",
    accessKeyId: "",
    secretAccessKey: "",
    endpointS3: "",
    hasToken: false,
    hasAccessKeyId: false,
    hasSecretAccessKey: false,
    otherEndpoints: [],
    ...cloudflareR2,
  },
});

/** Core settings, with what a test needs changed. */
export const someCore = (rateLimiting: Partial<CoreSettings["rateLimiting"]> = {}): CoreSettings => ({
  rateLimiting: {
    ...coreSettings.defaults.rateLimiting,
    skipPluginRoutes: false,
    message: "Too many requests, please try again later.",
    ...rateLimiting,
  },
  security: coreSettings.defaults.security,
});

const unused = {
  state: "unused",
  server: null,
  source: null,
  since: "2026-10-28T09:00:00.000Z",
  reason: null,
} as const;

const status: SystemStatus = {
  firewall: {
    installed: false,
    enabled: false,
    masterSwitchEnabled: false,
    rateLimitingEnabled: false,
    developmentModeEnabled: false,
  },
  redis: unused,
  storage: { ...unused, home: "database", inDatabase: 4, inR2: 0, migration: null },
  limiter: { isEnabled: true, store: "memory" },
  cors: { origins: [] },
  isSafeMode: false,
  visitor: {
    ip: "203.0.113.7",
    peer: "10.0.0.2",
    isBehindTrustedProxy: true,
    trustedProxies: ["10.0.0.0/8"],
    warning: null,
  },
};

const counts: MailState["counts"] = { waiting: 0, sent: 0, dead: 0 };
const mail: MailState = {
  ...{
    transport: "outbox",
    server: null,
    from: "Atrium <atrium@example.test>",
    isHealthy: true,
    lastError: null,
  },
  counts,
};

const providerRedirectUri = "http://localhost:3000/api/auth/{provider}/callback";

/** Settings of the site, with what a test needs changed. */
export const someSite = (change: Partial<SiteAnswer> = {}): SiteAnswer => ({
  ...siteSettings.defaults,
  locked: [],
  ...change,
});

/** What the page of settings asks for. */
export const settingsAnswers = (credentials = someCredentials(), core = someCore()): Answers => ({
  "GET /api/auth/settings/credentials": { data: credentials },
  "GET /api/auth/settings/core": { data: core },
  "GET /api/auth/settings/accounts": { data: accountSettings.defaults },
  "GET /api/auth/settings/providers": { data: { providers: [], redirectUri: providerRedirectUri } },
  "GET /api/auth/settings/history": { data: { changes: [], pagination: { total: 0, limit: 10 } } },
  "GET /api/system/status": { data: status },
  "GET /api/admin/mail": { data: mail },
  "GET /api/admin/mails": { data: { mails: [], counts, pagination: { total: 0, limit: 10 } } },
});

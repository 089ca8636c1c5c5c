import type { Kit } from "#api/modules/kit.ts";
import { limits } from "#contract/limits.ts";
import { type OperationArgument, operation, pageOptions } from "#contract/operation.ts";
import { factorWays } from "#contract/proof.ts";
import { roles, sortOrders, userSorts } from "#contract/users.ts";

export const forReading = { access: "admin", scope: "users", proof: "none", tag: "Users" } as const;

export const sampleId = "019a9f00-0000-7000-8000-000000000000";
export const sampleEmail = "ada@fuzzed.example";

/** The account or the registration that an operation is about. */
export const one = (kit: Kit) => kit.object({ user: kit.id("Id or email address") });

/** The role that a user is to have. */
export const role = (kit: Kit) =>
  kit.choice(roles, {
    error: "Please choose user or admin",
    description: "`admin` has access to the admin area",
  });

export const userArgument: readonly OperationArgument[] = [
  { name: "user", summary: "email address or id of the user", finds: "account" },
];
export const registrationArgument: readonly OperationArgument[] = [
  {
    ...{ name: "registration", field: "user", finds: "registration" },
    summary: "email address, or id of a registration as `user list --pending` shows it",
  },
];

const userStates = ["active", "disabled"] as const;

const page = (kit: Kit) => ({
  limit: kit.limit,
  offset: kit.offset,
  search: kit.text({
    most: limits.emailLength,
    default: "",
    description: "Part of a name or an email address, in any case",
    error: `Please search for at most ${limits.emailLength} characters`,
  }),
});

/** A user as the admin area lists them. */
const listedUser = (kit: Kit) => ({
  ...kit.user.properties,
  disabled: kit.flag(),
  lastSeenAt: kit.nullable(kit.instant),
});

const session = (kit: Kit) =>
  kit.object({
    id: kit.uuid,
    ip: kit.text(),
    userAgent: kit.nullable(kit.text()),
    device: kit.text({ description: "The browser, in a few words" }),
    createdAt: kit.instant,
    lastUsedAt: kit.instant,
    expiresAt: kit.instant,
  });

const registration = (kit: Kit) => ({
  id: kit.uuid,
  name: kit.text(),
  createdAt: kit.instant,
  mailedAt: kit.nullable(kit.instant),
  expiresAt: kit.instant,
});

/** What admins can see of accounts, and of registrations that wait for their verification. */
export const reading = {
  list: operation("GET /api/admin/users", {
    ...forReading,
    responds: "data",
    schemas: (kit) => ({
      query: kit.exact({
        ...page(kit),
        role: kit.optional(role(kit)),
        status: kit.optional(kit.choice(userStates, { error: "Please choose active or disabled" })),
        sort: kit.optional(
          kit.choice(userSorts, {
            error: "Please sort by created, name, email or lastSeen",
            description: "Default: `created`. Names and email addresses are compared regardless of case",
          }),
        ),
        order: kit.optional(
          kit.choice(sortOrders, {
            error: "Please choose asc or desc",
            description: "Default: latest first for times, A to Z for texts",
          }),
        ),
      }),
      answer: kit.object({ users: kit.list(kit.object(listedUser(kit))), pagination: kit.pagination }),
    }),
    summary: "List users",
    description:
      "Newest first unless sorted otherwise; `search` matches names and email addresses. `lastSeenAt` is exact to a minute.",
    example: {
      ...{ limit: "10", offset: "0", search: "ada", role: "user", status: "active" },
      ...{ sort: "name", order: "desc" },
    },
    commands: [
      {
        name: "list",
        action: "List users",
        summary: "list the users",
        description:
          "Lists the users, newest first. On a terminal as a table; otherwise one user per line with tabs between email address, name, role, state, last visit and creation time, without headings. With --pending, lists the email addresses that are not verified yet, one registration per line: email address, name, last email, registration time, expiry time and id.",
        options: [
          {
            ...{ name: "search", value: "text" },
            summary: "only users with this text in their name or email address, in any case",
          },
          { name: "role", value: "role", values: roles, summary: "only users with this role" },
          { name: "status", value: "status", values: userStates, summary: "only users in this state" },
          {
            ...{ name: "sort", value: "key", values: userSorts },
            summary: "sort the users by this (default: created)",
          },
          {
            ...{ name: "order", value: "order", values: sortOrders },
            summary: "ascending or descending (default: latest first, texts from A)",
          },
          {
            ...{ name: "pending", type: "boolean" },
            summary: "list registrations that are not verified yet instead of users",
          },
          { name: "all", type: "boolean", summary: "list all of them instead of one page" },
          ...pageOptions,
        ],
        examples: [
          { summary: "The newest users", typed: "atrium user list" },
          {
            summary: "All users of one company",
            typed: "atrium user list --search @example.com --limit 100",
          },
          {
            summary: "Who has not visited for longest",
            typed: "atrium user list --sort lastSeen --order asc",
          },
          { summary: "All enabled administrators", typed: "atrium user list --role admin --status active" },
          { summary: "Who has not followed the verification link yet", typed: "atrium user list --pending" },
          { summary: "All email addresses, for a script", typed: "atrium user list --all | cut -f 1" },
          { summary: "As the API returns it", typed: "atrium user list --json" },
        ],
      },
    ],
    tool: {
      name: "list_users",
      title: "List users",
      description: "Users with role and state; can be searched, filtered and sorted.",
    },
  }),
  get: operation("GET /api/admin/users/:user", {
    ...forReading,
    responds: "data",
    schemas: (kit) => ({
      params: one(kit),
      answer: kit.object({
        ...listedUser(kit),
        hasPassword: kit.flag(),
        secondFactor: kit.nullable(
          kit.object({
            enabledAt: kit.instant,
            ways: kit.list(kit.oneOf(factorWays)),
            recoveryCodesLeft: kit.count,
          }),
          {
            description: "What they have to give besides a password; `null` without any",
          },
        ),
        isLastAdmin: kit.flag({ description: "No other enabled administrator can sign in" }),
        sessionCount: kit.integer(),
        sessions: kit.list(session(kit), { description: "Most recently used first, at most 100" }),
      }),
    }),
    names: { "200.data.secondFactor|0.ways[]": "FactorWay" },
    errors: ["NOT_FOUND"],
    summary: "A user with their open sessions",
    description:
      "By id or email address. Lists the 100 most recently used open sessions with IP address and browser; `sessionCount` counts all. `isLastAdmin`: no other enabled administrator can sign in.",
    example: { user: sampleEmail },
    commands: [
      {
        name: "show",
        action: "Show a user",
        summary: "show one user",
        description: "Shows a user with their sign-in methods, second factor and open sessions.",
        arguments: userArgument,
        examples: [
          { summary: "By email address", typed: "atrium user show ada@example.com" },
          {
            summary: "Where a user is signed in, for a script",
            typed: "atrium user show ada@example.com --json | jq .sessions",
          },
        ],
      },
    ],
    tool: { name: "get_user", title: "Show a user", description: "One user with their open sessions." },
  }),
  factors: operation("GET /api/admin/users/:user/second-factor", {
    ...forReading,
    responds: "data",
    schemas: (kit) => ({
      params: one(kit),
      answer: kit.object({
        factors: kit.list(
          kit.object({
            way: kit.oneOf(factorWays),
            name: kit.nullable(kit.text({ description: "What its owner calls a passkey" })),
            addedAt: kit.instant,
            lastUsedAt: kit.nullable(kit.instant),
            left: kit.nullable(kit.integer({ description: "How many recovery codes are left" })),
            blockedAt: kit.nullable(kit.instant, {
              description: "Since when a passkey is refused that may have been copied",
            }),
          }),
        ),
      }),
    }),
    errors: ["NOT_FOUND"],
    summary: "List a user's second factors",
    description:
      "Passkeys, oldest first, then the authenticator app, whose use is exact to 30 seconds, then the recovery codes; when each was added and last used, and no secrets.",
    example: { user: sampleEmail },
    commands: [
      {
        name: "factors",
        action: "List a user's second factors",
        summary: "list the second factors of a user",
        description:
          "Lists a user's passkeys, authenticator app and recovery codes, with when they were added and last used. What is secret of them is not shown.",
        arguments: userArgument,
        examples: [
          { summary: "By email address", typed: "atrium user factors ada@example.com" },
          { summary: "As the API returns it", typed: "atrium user factors ada@example.com --json" },
        ],
      },
    ],
  }),
  pending: operation("GET /api/admin/pending-users", {
    ...forReading,
    responds: "data",
    schemas: (kit) => ({
      query: kit.exact(page(kit)),
      answer: kit.object({
        users: kit.list(
          kit.object({
            ...registration(kit),
            email: kit.text(),
            registrations: kit.integer({
              description: "Number of unverified registrations of the email address",
            }),
            waiting: kit.list(kit.object(registration(kit)), {
              description: "All of them, newest first",
            }),
          }),
        ),
        pagination: kit.pagination,
      }),
    }),
    summary: "List unverified registrations",
    description:
      "One row per email address, sorted by its newest registration, newest first, with all its registrations.",
    example: { limit: "10", offset: "0", search: "ada" },
    calledBy: { command: "user list --pending", action: "List registrations" },
  }),
};

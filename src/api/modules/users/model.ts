import { type Static, t } from "elysia";
import {
  dataOf,
  done,
  emailField,
  integer,
  nameField,
  newPasswordField,
  totalIsEstimateField,
  userSchema,
  wholeNumberField,
} from "#api/modules/fields.ts";
import { limits } from "#contract/limits.ts";

const known = { additionalProperties: false };

/** The role that a user is to have. */
const roleField = t.Union([t.Literal("user"), t.Literal("admin")], {
  error: "Please choose user or admin",
  description: "`admin` opens the admin area",
});

/** A user as an admin adds one. */
export const createUserBody = t.Object(
  { name: nameField, email: emailField, password: newPasswordField, role: roleField },
  known,
);
export type CreateUserInput = Static<typeof createUserBody>;

export const setRoleBody = t.Object({ role: roleField }, known);
export type SetRoleInput = UserHandle & Static<typeof setRoleBody>;

/** The account that a call is about. Whatever names nobody is not found. */
export const userParams = t.Object({
  user: t.String({
    description: "Id or e-mail address; an address in any spelling that is the same account",
  }),
});
export type UserHandle = Static<typeof userParams>;

const page = {
  limit: wholeNumberField({
    minimum: 1,
    maximum: limits.pageSizeMax,
    default: limits.pageSize,
    error: `Please ask for 1 to ${limits.pageSizeMax} rows`,
  }),
  offset: wholeNumberField({
    minimum: 0,
    maximum: 1_000_000_000,
    default: 0,
    error: "Please begin at a whole number from 0",
  }),
  search: t.String({
    maxLength: limits.emailLength,
    default: "",
    description: "Part of a name or an address, in any case",
    error: `Please search for at most ${limits.emailLength} characters`,
  }),
};

/** Which users are asked for; what is left out has its default, or is not filtered by. */
export const listUsersQuery = t.Object(
  {
    ...page,
    role: t.Optional(roleField),
    status: t.Optional(
      t.Union([t.Literal("active"), t.Literal("disabled")], { error: "Please choose active or disabled" }),
    ),
    sort: t.Optional(
      t.Union([t.Literal("created"), t.Literal("name"), t.Literal("email"), t.Literal("lastSeen")], {
        error: "Please sort by created, name, email or lastSeen",
        description: "Left out: `created`. Names and addresses are compared without regard to case",
      }),
    ),
    order: t.Optional(
      t.Union([t.Literal("asc"), t.Literal("desc")], {
        error: "Please choose asc or desc",
        description: "Left out: the latest first for times, A to Z for texts",
      }),
    ),
  },
  known,
);
export type ListUsersInput = Static<typeof listUsersQuery>;

/** Which registrations are asked for; what is left out has its default. */
export const listPendingQuery = t.Object(page, known);
export type ListPendingInput = Static<typeof listPendingQuery>;

const instant = t.String({ format: "date-time" });
const pagination = t.Object({
  total: integer(),
  limit: integer(),
  offset: integer(),
  totalIsEstimate: totalIsEstimateField,
});

/** A user and whether they are shut out. */
const accountState = { ...userSchema.properties, disabled: t.Boolean() };

/** A user as the admin area lists them. */
const listedUser = { ...accountState, lastSeenAt: t.Nullable(instant) };

export const userList = dataOf(t.Object({ users: t.Array(t.Object(listedUser)), pagination }));

const shownSession = t.Object({
  id: t.String({ format: "uuid" }),
  ip: t.String(),
  userAgent: t.Nullable(t.String()),
  device: t.String({ description: "What the browser says it is, in a few words" }),
  createdAt: instant,
  lastUsedAt: instant,
  expiresAt: instant,
});

export const userDetail = dataOf(
  t.Object({
    ...listedUser,
    hasPassword: t.Boolean(),
    isLastAdmin: t.Boolean({ description: "No other enabled administrator remains" }),
    sessionCount: integer(),
    sessions: t.Array(shownSession, { description: "The last used first, at most 100" }),
  }),
);

const pendingRegistration = {
  id: t.String({ format: "uuid" }),
  name: t.String(),
  createdAt: instant,
  mailedAt: t.Nullable(instant),
  expiresAt: instant,
};

const pendingUser = t.Object({
  ...pendingRegistration,
  email: t.String(),
  registrations: integer({ description: "How many registrations of the address wait" }),
  waiting: t.Array(t.Object(pendingRegistration), { description: "All of them, newest first" }),
});

export const pendingList = dataOf(t.Object({ users: t.Array(pendingUser), pagination }));

export const userChanged = done({ data: t.Object(accountState) });
export const userAnswered = done({ data: userSchema });
export const sessionsEnded = done({ data: t.Object({ ended: integer() }) });
export const resetMailed = done({ data: t.Object({ email: t.String() }) });
export const messageAnswer = done({});

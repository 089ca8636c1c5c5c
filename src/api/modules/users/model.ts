import { type Static, t } from "elysia";
import {
  dataOf,
  done,
  emailField,
  nameField,
  newPasswordField,
  userSchema,
  wholeNumberField,
} from "#api/modules/fields.ts";
import { limits } from "#contract/limits.ts";

const known = { additionalProperties: false };

/** The role that a new user is to have. */
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

/** Which users are asked for; what is left out has its default. */
export const listUsersQuery = t.Object(
  {
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
  },
  known,
);
export type ListUsersInput = Static<typeof listUsersQuery>;

/** A user as the admin area lists them. */
const listedUser = t.Object({
  ...userSchema.properties,
  disabled: t.Boolean(),
  lastSeenAt: t.Nullable(t.String({ format: "date-time" })),
});

export const userList = dataOf(
  t.Object({
    users: t.Array(listedUser),
    pagination: t.Object({ total: t.Integer(), limit: t.Integer(), offset: t.Integer() }),
  }),
);

export const userCreated = done({ data: userSchema });

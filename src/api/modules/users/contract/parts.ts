import type { Kit } from "#api/modules/kit.ts";
import type { OperationArgument } from "#contract/operation-commands.ts";
import { roles } from "#contract/users.ts";

/** What reading can be refused with. */
export const refusals = ["NOT_SIGNED_IN", "FORBIDDEN", "DB_UNAVAILABLE"] as const;

export const forReading = { access: "admin", scope: "users", proof: "none", tag: "Users" } as const;

export const sampleId = "019a9f00-0000-7000-8000-000000000000";
export const sampleEmail = "ada@fuzzed.example";
export const aboutNobody = { params: { user: "none" }, status: 404 } as const;

/** The account or the registration that an operation is about. */
export const one = (kit: Kit) =>
  kit.object({ user: kit.id("Id or e-mail address; an address in any spelling that is the same account") });

/** The role that a user is to have. */
export const role = (kit: Kit) =>
  kit.choice(roles, {
    error: "Please choose user or admin",
    description: "`admin` opens the admin area",
  });

export const userArgument: readonly OperationArgument[] = [
  { name: "user", summary: "address or id of the account", finds: "account" },
];
export const registrationArgument: readonly OperationArgument[] = [
  {
    ...{ name: "registration", field: "user", finds: "registration" },
    summary: "address, or id of a registration, as `user list --pending` shows them",
  },
];

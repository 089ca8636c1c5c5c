import type { Client as Operations } from "#api/operations.ts";
import type { Client } from "#cli/client.ts";
import { counted } from "#cli/counted.ts";
import { CliFailure } from "#cli/failure.ts";
import { operationsOf } from "#cli/operations/operations-of.ts";
import { errorTexts } from "#contract/errors.ts";
import { userTexts } from "#contract/user-texts.ts";
import type { OperationPlan } from "./plan.ts";

type Users = Operations["users"];

/** The plans for accounts and registrations. */
export const userPlans: {
  readonly [N in Exclude<keyof Users, "list" | "get" | "pending"> as `users.${N}`]: OperationPlan<Users[N]>;
} = {
  "users.create": async (client, { name, email, role }) => {
    const { users } = (await operationsOf(client).users.list({ search: email, limit: 100 })).data;
    if (users.some((user) => user.email.toLowerCase() === email.trim().toLowerCase()))
      throw new CliFailure("CONFLICT", `${email} has an account already`);
    return `Would create ${name} <${email}> with the role ${role}`;
  },
  "users.setRole": async (client, input) => {
    const { user, called } = await find(client, input);
    if (user.role === input.role) return `Would change nothing: ${called} has this role already`;
    if (user.isLastAdmin) throw lastAdmin();
    return `Would give ${called} the role ${input.role}, and sign them out everywhere`;
  },
  "users.disable": async (client, input) => {
    const { user, called } = await find(client, input);
    if (user.isLastAdmin) throw lastAdmin();
    if (user.disabled) return `Would change nothing: ${called} is disabled already`;
    return `Would disable ${called}; ${counted(user.sessionCount, "open session")} would end`;
  },
  "users.enable": async (client, input) => {
    const { user, called } = await find(client, input);
    return user.disabled ? `Would enable ${called}` : `Would change nothing: ${called} is enabled already`;
  },
  "users.sendReset": async (client, input) => {
    const { user } = await find(client, input);
    if (user.disabled) throw new CliFailure("CONFLICT", userTexts.resetOfDisabled);
    return `Would mail ${user.email} a link to choose a new password`;
  },
  "users.signOut": async (client, input) => {
    const { user, called } = await find(client, input);
    return `Would end ${counted(user.sessionCount, "open session")} of ${called}`;
  },
  "users.remove": async (client, input) => {
    const { user, called } = await find(client, input);
    if (user.isLastAdmin) throw lastAdmin();
    return `Would delete ${called} for good`;
  },
  "users.verifyPending": async (client, input) => {
    const { email, waiting, isAddress } = await findPending(client, input);
    if (isAddress && waiting.length > 1) throw new CliFailure("CONFLICT", userTexts.severalRegistrations);
    return `Would make an account of a registration of ${email}`;
  },
  "users.removePending": async (client, input) => {
    const { email, waiting } = await findPending(client, input);
    return `Would remove ${counted(waiting.length, "registration")} of ${email}`;
  },
};

const lastAdmin = () => new CliFailure("LAST_ADMIN", errorTexts.LAST_ADMIN);

const find = async (client: Client, { user: handle }: { user: string }) => {
  const user = (await operationsOf(client).users.get({ user: handle })).data;
  return { user, called: `${user.name} <${user.email}>` };
};

const findPending = async (client: Client, { user }: { user: string }) => {
  const key = user.toLowerCase();
  const isAddress = key.includes("@");
  for (let offset = 0; ; offset += 100) {
    const query = { limit: 100, offset, ...(isAddress ? { search: key } : {}) };
    const { users } = (await operationsOf(client).users.pending(query)).data;
    const found = users.find(
      ({ email, id, waiting }) =>
        email.toLowerCase() === key || id === key || waiting.some((registration) => registration.id === key),
    );
    if (found !== undefined) return { ...found, isAddress };
    if (users.length < 100) throw new CliFailure("NOT_FOUND", userTexts.registrationUnknown);
  }
};

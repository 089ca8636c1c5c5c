import type { Client } from "#cli/client.ts";
import { counted } from "#cli/counted.ts";
import { CliFailure } from "#cli/failure.ts";
import { errorTexts } from "#contract/errors.ts";
import { userTexts } from "#contract/user-texts.ts";
import type { Plans } from "./plan.ts";

type Params = { params?: { user: string } | undefined };

/** The plans for accounts and registrations. */
export const userPlans: Plans<
  | "POST /api/admin/users"
  | "PUT /api/admin/users/:user/role"
  | "POST /api/admin/users/:user/disable"
  | "POST /api/admin/users/:user/enable"
  | "POST /api/admin/users/:user/send-reset"
  | "DELETE /api/admin/users/:user/sessions"
  | "DELETE /api/admin/users/:user"
  | "POST /api/admin/pending-users/:user/verify"
  | "DELETE /api/admin/pending-users/:user"
> = {
  "POST /api/admin/users": async (client, { body }) => {
    const wanted = body ?? { name: "", email: "", role: "user" };
    const { users } = await client.call("GET /api/admin/users", {
      query: { search: wanted.email, limit: 100 },
    });
    if (users.some(({ email }) => email.toLowerCase() === wanted.email.trim().toLowerCase()))
      throw new CliFailure("CONFLICT", `${wanted.email} has an account already`);
    return `Would create ${wanted.name} <${wanted.email}> with the role ${wanted.role}`;
  },
  "PUT /api/admin/users/:user/role": async (client, { params, body }) => {
    const { user, called } = await find(client, { params });
    if (user.role === body?.role) return `Would change nothing: ${called} has this role already`;
    if (user.isLastAdmin) throw lastAdmin();
    return `Would give ${called} the role ${body?.role}, and sign them out everywhere`;
  },
  "POST /api/admin/users/:user/disable": async (client, input) => {
    const { user, called } = await find(client, input);
    if (user.isLastAdmin) throw lastAdmin();
    if (user.disabled) return `Would change nothing: ${called} is disabled already`;
    return `Would disable ${called}; ${counted(user.sessionCount, "open session")} would end`;
  },
  "POST /api/admin/users/:user/enable": async (client, input) => {
    const { user, called } = await find(client, input);
    return user.disabled ? `Would enable ${called}` : `Would change nothing: ${called} is enabled already`;
  },
  "POST /api/admin/users/:user/send-reset": async (client, input) => {
    const { user } = await find(client, input);
    if (user.disabled) throw new CliFailure("CONFLICT", userTexts.resetOfDisabled);
    return `Would mail ${user.email} a link to choose a new password`;
  },
  "DELETE /api/admin/users/:user/sessions": async (client, input) => {
    const { user, called } = await find(client, input);
    return `Would end ${counted(user.sessionCount, "open session")} of ${called}`;
  },
  "DELETE /api/admin/users/:user": async (client, input) => {
    const { user, called } = await find(client, input);
    if (user.isLastAdmin) throw lastAdmin();
    return `Would delete ${called} for good`;
  },
  "POST /api/admin/pending-users/:user/verify": async (client, input) => {
    const { email, waiting, isAddress } = await findPending(client, input);
    if (isAddress && waiting.length > 1) throw new CliFailure("CONFLICT", userTexts.severalRegistrations);
    return `Would make an account of a registration of ${email}`;
  },
  "DELETE /api/admin/pending-users/:user": async (client, input) => {
    const { email, waiting } = await findPending(client, input);
    return `Would remove ${counted(waiting.length, "registration")} of ${email}`;
  },
};

const lastAdmin = () => new CliFailure("LAST_ADMIN", errorTexts.LAST_ADMIN);

const find = async (client: Client, { params }: Params) => {
  const user = await client.call("GET /api/admin/users/:user", { params: { user: params?.user ?? "" } });
  return { user, called: `${user.name} <${user.email}>` };
};

const findPending = async (client: Client, { params }: Params) => {
  const key = (params?.user ?? "").toLowerCase();
  const isAddress = key.includes("@");
  for (let offset = 0; ; offset += 100) {
    const query = { limit: 100, offset, ...(isAddress ? { search: key } : {}) };
    const { users } = await client.call("GET /api/admin/pending-users", { query });
    const found = users.find(
      ({ email, id, waiting }) =>
        email.toLowerCase() === key || id === key || waiting.some((registration) => registration.id === key),
    );
    if (found !== undefined) return { ...found, isAddress };
    if (users.length < 100) throw new CliFailure("NOT_FOUND", userTexts.registrationUnknown);
  }
};

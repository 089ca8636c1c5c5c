import { sql } from "drizzle-orm";
import { AppError } from "#api/core/app-error.ts";
import type { Services } from "#api/core/context.ts";
import { pluginMail } from "#api/modules/mail/index.ts";
import { emailComplaint, emailKey } from "#contract/account-rules.ts";
import { type PermissionName, pluginLimits } from "#contract/plugins.ts";
import type { HostedPlugin, HostFunction } from "./hosted-plugin.ts";
import { invalid, PluginFault } from "./plugin-fault.ts";
import { fieldsArgument, lineArgument, textArgument } from "./read-argument.ts";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const hourMs = 60 * 60 * 1000;
const subjectLength = 200;
const textLength = 10_000;

export type PeopleOptions = Pick<Services, "db" | "mail" | "attempts" | "appUrl"> & {
  used(plugin: string, permission: PermissionName): void;
};

type Person = { id: string; name: string; role: "admin" | "user" };

/** What plugins may know of people, and the mails that they send them. */
export const createPeopleFunctions = ({
  db,
  mail,
  attempts,
  appUrl,
  used,
}: PeopleOptions): Record<"users.get" | "mail.send", HostFunction> => ({
  "users.get": {
    permission: "users.read",
    run: async ({ args: [id] }) => {
      if (typeof id !== "string" || !uuid.test(id)) return undefined;
      const [person] = await db.execute<Person>(
        sql`select id, name, role from users where id = ${id} and disabled_at is null`,
      );
      return person && { id: person.id, name: person.name, role: person.role };
    },
  },
  "mail.send": {
    permission: "mail.send",
    run: async ({ plugin, args }) => {
      const given = fieldsArgument(args[0], "mail", ["to", "subject", "text"]);
      const to = lineArgument(given.to, "to", 254);
      if (emailComplaint(to) !== null) throw invalid("to has to be one e-mail address");
      const subject = lineArgument(given.subject, "subject", subjectLength);
      const message = textArgument(given.text, "text", textLength);
      // Before it is looked at: whoever asks whether an address is a user's does so a hundred times an hour.
      await spend(attempts, plugin.name);
      const [user] = await db.execute<{ email: string }>(sql`
        select email from users
        where email_key = ${emailKey(to)} and disabled_at is null and email_verified_at is not null`);
      if (user === undefined) {
        checkMailsAnyone(plugin);
        used(plugin.name, "mail.send:anyone");
      }
      const { title, name } = plugin.manifest;
      const content = pluginMail({
        subject,
        message,
        plugin: title,
        link: `${appUrl}/admin/plugins/${name}`,
      });
      await db.transaction((tx) => mail.enqueue(tx, { to: user?.email ?? to.trim(), ...content }));
      mail.wake();
      return undefined;
    },
  },
});

/** Throws `INVALID`, which counts as no refusal: visitors may have typed the address. */
export const checkMailsAnyone = ({ granted }: Pick<HostedPlugin, "granted">): void => {
  if (granted.some(({ name }) => name === "mail.send:anyone")) return;
  throw invalid("to is not the address of a user of this site, and mail.send:anyone was not granted");
};

const spend = async (attempts: Services["attempts"], plugin: string): Promise<void> => {
  try {
    await attempts.spend([
      {
        key: `plugin-mail:${plugin}`,
        most: pluginLimits.mailsAnHour,
        windowMs: hourMs,
        message: () => `A plugin sends at most ${pluginLimits.mailsAnHour} mails an hour`,
      },
    ]);
  } catch (error) {
    if (error instanceof AppError && error.kind === "RATE_LIMITED")
      throw new PluginFault("LIMIT_EXCEEDED", error.message);
    throw error;
  }
};

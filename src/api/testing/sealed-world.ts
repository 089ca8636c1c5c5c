import { asc } from "drizzle-orm";
import { adminAction } from "#api/core/admin-action.ts";
import type { Context, SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { newId } from "#api/core/ids.ts";
import { mails, pluginSecrets, settingSecrets, totpSecrets, users } from "#api/db/schema.ts";
import { createActivityWriter } from "#api/modules/activity/index.ts";
import { createMailQueue } from "#api/modules/mail/index.ts";
import { testContext } from "./context.ts";
import { createFixedSettings } from "./fixed-settings.ts";

/** The operator's world as a process sees it that has these keys. */
export const operatorWith = (db: Database, box: SecretBox): Context => {
  const ctx = testContext({ db, actor: { kind: "operator" } });
  const { clock, log, events } = ctx;
  return {
    ...ctx,
    secrets: box,
    mail: createMailQueue({
      box,
      clock,
      wake: () => {},
      settings: createFixedSettings(),
      appUrl: "http://localhost:3000",
    }),
    activity: createActivityWriter({ db, clock, log, box, events }).recorder,
  };
};

/** Where a setting's secret is bound to. */
export const settingPlace = (name: string): string => `setting_secrets:sealed:${name}`;

/** Where a secret of a plugin is bound to. */
const pluginPlace = (id: string): string => `plugin_secrets:sealed:${id}`;

/** Where the secret of a user's authenticator app is bound to. */
const factorPlace = (userId: string): string => `totp_secrets:secret:${userId}`;

/** Stores something of everything that lies sealed: mails, secrets of settings, of plugins and of an authenticator app, a log with an end, facts that wait for it. */
export const fillSealed = async (ctx: Context, counts: { mails: number; facts: number }): Promise<void> => {
  const { db, secrets } = ctx;
  for (const name of ["redis.password", "cloudflareR2.token", "cloudflareR2.secretAccessKey"]) {
    const sealed = secrets.seal("settings", settingPlace(name), new TextEncoder().encode(`of ${name}`));
    await db.insert(settingSecrets).values({ name, sealed, updatedAt: ctx.clock.now() });
  }
  const id = "site-watch/token";
  const sealed = secrets.seal("plugin-settings", pluginPlace(id), new TextEncoder().encode(`of ${id}`));
  await db.insert(pluginSecrets).values({ id, plugin: "site-watch", sealed, updatedAt: ctx.clock.now() });
  const userId = newId();
  await db.insert(users).values({ id: userId, name: "Ada", email: userId, emailKey: userId });
  const key = secrets.seal("second-factor", factorPlace(userId), new TextEncoder().encode("of an app"));
  await db.insert(totpSecrets).values({ userId, secret: key, enabledAt: ctx.clock.now() });
  await db.transaction(async (tx) => {
    for (let number = 0; number < counts.mails; number += 1) {
      const link = `https://app.example/reset?token=${number}`;
      const words = { subject: "Hello", text: link, html: "", link };
      await ctx.mail.enqueue(tx, { to: `person-${number}@example.test`, ...words });
    }
  });
  for (let number = 0; number < counts.facts; number += 1) {
    await adminAction(ctx, { type: "admin_action", action: `Did ${number}` }, async () => {});
    // The last ones stay in the inbox.
    if (number < counts.facts / 2) await ctx.activity.settle();
  }
};

/** Everything that a box opens of mails and settings, by place: `null` for what it does not. */
export const openedBy = async (db: Database, box: SecretBox): Promise<Map<string, string | null>> => {
  const opened = new Map<string, string | null>();
  const open = (purpose: string, place: string, sealed: Uint8Array) => {
    try {
      opened.set(place, new TextDecoder().decode(box.open(purpose, place, sealed)));
    } catch {
      opened.set(place, null);
    }
  };
  for (const { name, sealed } of await db.select().from(settingSecrets).orderBy(asc(settingSecrets.name)))
    open("settings", settingPlace(name), sealed);
  for (const { id, sealed } of await db.select().from(pluginSecrets).orderBy(asc(pluginSecrets.id)))
    open("plugin-settings", pluginPlace(id), sealed);
  for (const { userId, secret } of await db.select().from(totpSecrets))
    open("second-factor", factorPlace(userId), secret);
  for (const { id, content } of await db.select().from(mails).orderBy(asc(mails.id)))
    if (content !== null) open("mail", `mails:content:${id}`, content);
  return opened;
};

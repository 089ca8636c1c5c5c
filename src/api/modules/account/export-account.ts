import { noteActivity } from "#api/core/activity.ts";
import { requireUser, toUser } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { loggedPieces } from "#api/core/describe-error.ts";
import type { Download } from "#api/modules/download.ts";
import {
  apiTokenPages,
  contactMessagePages,
  findAccount,
  findDeviceDates,
  findEmailChanges,
  findFactorDates,
  findIdentities,
  findLinkDates,
  findProfile,
  findSignInFailures,
  mailPages,
  sessionPages,
} from "./store.ts";

/**
 * Everything that is stored about the caller but the activity log, which is the installation's record, as JSON for
 * people and programs. No hash, no token and no text of an email
 * is in it: with those, whoever gets hold of the file could sign in.
 */
export const exportAccount = async (ctx: Context): Promise<Download> => {
  const { id } = requireUser(ctx);
  const { db } = ctx;
  const account = await findAccount(db, id);
  const profile = await findProfile(db, id);
  if (!account || !profile) throw new AppError("NOT_SIGNED_IN");
  const { email } = account;
  const { googleId, githubId } = toUser(account);
  const exportedAt = ctx.clock.now();
  const head = {
    exportedAt,
    profile,
    signInMethods: { password: account.passwordHash !== null, googleId, githubId },
    identities: await findIdentities(db, id),
    secondFactors: await findFactorDates(db, id),
    failedSignIns: await findSignInFailures(db, account.emailKey),
    knownDevices: await findDeviceDates(db, id),
    mailedLinks: await findLinkDates(db, id),
    emailChanges: await findEmailChanges(db, id),
  };
  noteActivity(ctx, { type: "api_call", action: "Downloaded their own data" });
  const pieces = accountFile(head, [
    ["sessions", sessionPages(db, id)],
    ["apiTokens", apiTokenPages(db, id)],
    ["contactMessages", contactMessagePages(db, id)],
    ["mails", mailPages(db, email)],
    ...[...ctx.personalData].map(([name, held]): NamedList => [name, held.export(db, id)]),
  ]);
  const day = exportedAt.toISOString().slice(0, 10);
  return {
    fileName: `atrium-account-${day}.json`,
    contentType: "application/json; charset=utf-8",
    pieces: loggedPieces(ctx, pieces),
  };
};

/** Rows in portions, and the name under which they are in the file. */
type NamedList = [name: string, portions: AsyncIterable<readonly object[]>];

/**
 * An object as indented JSON, piece by piece: the members of `head`, of which there is at least one, and behind them
 * the lists, of which never more than a portion is in memory.
 */
export async function* accountFile(
  head: Record<string, unknown>,
  lists: readonly NamedList[],
): AsyncGenerator<string, void, undefined> {
  yield indented(head).replace(/\n\}$/, "");
  for (const [name, portions] of lists) {
    yield `,\n  ${JSON.stringify(name)}: [`;
    let isEmpty = true;
    for await (const rows of portions) {
      if (rows.length === 0) continue;
      yield (isEmpty ? "\n" : ",\n") + rows.map(asItem).join(",\n");
      isEmpty = false;
    }
    yield isEmpty ? "]" : "\n  ]";
  }
  yield "\n}\n";
}

const asItem = (row: object): string => `    ${indented(row).replaceAll("\n", "\n    ")}`;

const indented = (value: object): string => JSON.stringify(value, null, 2);

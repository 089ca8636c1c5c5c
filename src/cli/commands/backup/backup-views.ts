import { InvalidArgumentError } from "commander";
import type { Backup, BackupSchedule, BackupState, ScheduleChange } from "#api/modules/backups/contract.ts";
import { type Client, operationsOf } from "#cli/client/client.ts";
import { CliFailure, usage } from "#cli/failure.ts";
import { withClient } from "#cli/invocation.ts";
import { atLeastOne } from "#cli/operations/typed-values.ts";
import { formatBytes, formatSecond } from "#cli/terminal/format.ts";
import { printable } from "#cli/terminal/output.ts";
import { createProgress, showingBytes } from "#cli/terminal/progress.ts";
import { refuseExisting, saveFile } from "#cli/terminal/save-file.ts";
import { type Column, whole } from "#cli/terminal/table.ts";
import { proofText } from "../../backups/restore-text.ts";
import { listText, type View } from "../../operations/declared-command.ts";

/** What the commands about backups do that no declaration can say. */
export const backupViews = {
  "backup list": {
    run: async (invocation) => {
      const { output, terminal } = invocation;
      const state = await withClient(invocation, stateOf);
      output.result(state, ({ backups }, style) => listText(backups, { columns, none, style }));
      if (state.backups.length === 0 && !output.isJson && !terminal.isOutputTerminal) output.note(none);
      if (state.proof !== null && !output.isJson) output.note(proofText(state.proof));
      if (state.storageFault !== null)
        output.note(`backups in object storage are not shown: ${printable(state.storageFault)}`);
    },
  } satisfies View<BackupState>,
  "backup download": {
    run: async (invocation, { out }) => {
      if (typeof out !== "string") throw usage("choose where to save the backup: add --out FILE");
      await refuseExisting(out);
      const progress = createProgress(invocation.terminal);
      const sizeBytes = await invocation.terminal
        .interruptible((ended) =>
          withClient(invocation, async (client) => {
            const { name, place, sizeBytes } = await find(client, invocation.args);
            const bytes = await client.receive("backups.download", { place, name }, ended);
            return saveFile(out, showingBytes(progress, bytes, sizeBytes));
          }),
        )
        .finally(progress.end);
      invocation.output.result({ file: out, sizeBytes }, () => `Saved ${formatBytes(sizeBytes)} to ${out}`);
    },
  } satisfies View<never>,
  "backup remove": {
    run: (invocation) =>
      withClient(invocation, async (client) => {
        const { name, place } = await find(client, invocation.args);
        await invocation.confirm(async () => `Remove ${name} permanently?`);
        await operationsOf(client).backups.remove({ place, name });
        invocation.output.result({ name, place }, () => `Removed ${name}`);
      }),
  } satisfies View<never>,
  "backup schedule": {
    read: {
      daily: (text) => timeOfDay(text),
      "every-hours": atLeastOne,
      "keep-last": (text) => bound(text),
      "keep-days": (text) => bound(text),
    },
    run: async (invocation, options) => {
      const { output } = invocation;
      const change = changeOf(options);
      const isChange = Object.keys(change).length > 0;
      const { schedule, nextAt, last } = await withClient(invocation, async (client) => {
        if (isChange) await operationsOf(client).backups.setSchedule(change);
        return stateOf(client);
      });
      output.result({ ...schedule, nextAt, last }, () => scheduleText(schedule, nextAt));
      if (!schedule.isEnabled && !options.off && isChange) output.note(staysOff);
    },
  } satisfies View<never, never, ScheduleOptions>,
};

const stateOf = async (client: Client): Promise<BackupState> =>
  (await operationsOf(client).backups.list()).data;

const find = async (client: Client, [name = ""]: readonly string[]): Promise<Backup> => {
  const found = (await stateOf(client)).backups.find((backup) => backup.name === name);
  if (found === undefined) throw new CliFailure("NOT_FOUND", `backup not found: ${name}`);
  return found;
};

const none =
  "There are no backups. Create one: atrium backup --keep\nSchedule them: atrium backup schedule --daily 03:00";

const columns: Column<Backup>[] = [
  { heading: "NAME", cell: ({ name }) => name, least: whole },
  { heading: "PLACE", cell: ({ place }) => place },
  { heading: "CREATED AT", cell: ({ createdAt }) => formatSecond(createdAt), least: whole, isSpare: true },
  { heading: "SIZE", cell: ({ sizeBytes }) => formatBytes(sizeBytes) },
  { heading: "ENCRYPTED", cell: ({ isEncrypted }) => (isEncrypted ? "yes" : "no") },
];

// Commander makes an empty text of `null`.
type Bound = number | "all";
type ScheduleOptions = {
  off?: true;
  daily?: string;
  everyHours?: number;
  to?: BackupSchedule["place"];
  keepLast?: Bound;
  keepDays?: Bound;
  recipient?: string[];
  unencrypted?: true;
};

const staysOff =
  "the change was saved, but the schedule is off: turn it on with --daily, --every-hours or --to";

const changeOf = (options: ScheduleOptions): ScheduleChange => {
  refuseOddOptions(options);
  const { off, daily, everyHours, to, keepLast, keepDays, recipient, unencrypted } = options;
  const isSet = daily !== undefined || everyHours !== undefined || to !== undefined;
  return {
    ...(isSet ? { isEnabled: true } : {}),
    ...(off ? { isEnabled: false } : {}),
    ...(daily === undefined ? {} : { every: { dailyAt: daily } }),
    ...(everyHours === undefined ? {} : { every: { hours: everyHours } }),
    ...(to === undefined ? {} : { place: to }),
    ...(keepLast === undefined ? {} : { keepLast: keepLast === "all" ? null : keepLast }),
    ...(keepDays === undefined ? {} : { keepDays: keepDays === "all" ? null : keepDays }),
    ...(recipient === undefined ? {} : { recipients: recipient }),
    ...(unencrypted ? { recipients: [] } : {}),
  };
};

const refuseOddOptions = (options: ScheduleOptions): void => {
  const { off, daily, everyHours, recipient, unencrypted } = options;
  if (daily !== undefined && everyHours !== undefined)
    throw usage("use either --daily or --every-hours, not both");
  if (recipient !== undefined && unencrypted)
    throw usage("use either --recipient or --unencrypted, not both");
  const setting = settingOptions.find(([key]) => options[key] !== undefined);
  if (off && setting !== undefined)
    throw usage(`--off turns the schedule off, so ${setting[1]} has no effect; use only one of them`);
};

const settingOptions = [
  ["daily", "--daily"],
  ["everyHours", "--every-hours"],
  ["to", "--to"],
  ["keepLast", "--keep-last"],
  ["keepDays", "--keep-days"],
  ["recipient", "--recipient"],
  ["unencrypted", "--unencrypted"],
] as const;

const scheduleText = (
  { every, place, keepLast, keepDays, recipients }: BackupSchedule,
  nextAt: string | null,
): string => {
  if (nextAt === null) return "Automatic backups are off.";
  const when = "hours" in every ? hoursText(every.hours) : `daily at ${every.dailyAt} UTC`;
  const kept = [
    ...(keepLast === null ? [] : [`the newest ${keepLast}`]),
    ...(keepDays === null
      ? []
      : [keepDays === 1 ? "those from the last day" : `those from the last ${keepDays} days`]),
  ];
  return [
    `A backup ${when}, to ${place}, ${recipients.length === 0 ? "not encrypted" : "encrypted"}`,
    `Kept: ${kept.length === 0 ? "all" : kept.join(", of them ")}`,
    `Next: ${formatSecond(nextAt)}`,
  ].join("\n");
};

const hoursText = (hours: number): string => (hours === 1 ? "every hour" : `every ${hours} hours`);

const timeOfDay = (text: string): string => {
  if (!/^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/.test(text))
    throw new InvalidArgumentError("It must be a time of day, HH:MM from 00:00 to 23:59.");
  return text;
};

const bound = (text: string): Bound => (text === "all" ? text : atLeastOne(text));

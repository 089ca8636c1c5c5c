import { type Command, InvalidArgumentError, Option } from "commander";
import type { ApiAnswer, ApiInput } from "#cli/api-calls.ts";
import { collected } from "#cli/collected.ts";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { formatSecond } from "#cli/format.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import { planOption } from "#cli/plan/planned.ts";
import { atLeastOne } from "#cli/whole-number.ts";
import { backupBounds } from "#contract/backup-bounds.ts";

type Schedule = ApiAnswer<"PUT /api/admin/backups/schedule">;
type Change = NonNullable<ApiInput<"PUT /api/admin/backups/schedule">["body"]>;
// Commander makes an empty text of `null`.
type Bound = number | "all";
const places = ["folder", "storage"] as const;
type ScheduleOptions = {
  off?: true;
  daily?: string;
  everyHours?: number;
  to?: (typeof places)[number];
  keepLast?: Bound;
  keepDays?: Bound;
  recipient?: string[];
  unencrypted?: true;
};

/** `backup schedule`: shows and sets when backups are made by themselves. */
export const addBackupScheduleCommand = (group: Command, cli: Cli): void => {
  group
    .command("schedule")
    .summary("show or set when backups are made by themselves")
    .description(
      "Without options shows the schedule. One server makes each backup, wherever several run; it goes into that server's data " +
        "folder or to object storage, encrypted for age recipients where there are any: no passphrase lies on the server. Of the " +
        "schedule's own backups old ones are removed; the newest always stays.",
    )
    .option("--daily <time>", "one a day at this time, HH:MM in UTC", timeOfDay)
    .option("--every-hours <hours>", `one every so many hours, 1 to ${backupBounds.everyHours}`, atLeastOne)
    .addOption(
      new Option("--to <place>", "folder (the data folder) or storage (object storage)").choices(places),
    )
    .option("--keep-last <count>", 'how many are kept; "all" for no bound', bound)
    .option("--keep-days <days>", 'for how many days they are kept; "all" for no bound', bound)
    .option("--recipient <age1…>", "encrypt them for an age recipient; may be repeated", collected)
    .option("--unencrypted", "do not encrypt them")
    .option("--off", "make none from now on; stands alone")
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        [
          "Every night, for whoever has the identity",
          "atrium backup schedule --daily 03:00 --to storage --recipient age1…",
        ],
        ["Every six hours, a week of them", "atrium backup schedule --every-hours 6 --keep-last 28"],
        ["See when the next one is made", "atrium backup schedule"],
      ),
    )
    .action(
      handler<ScheduleOptions>(cli, async (invocation, options) => {
        const change = changeOf(options);
        await withClient(invocation, async (client) => {
          if (Object.keys(change).length > 0)
            await client.call("PUT /api/admin/backups/schedule", { body: change });
          const { schedule, nextAt, last } = await client.call("GET /api/admin/backups");
          const { output } = invocation;
          output.result({ ...schedule, nextAt, last }, () => scheduleText(schedule, nextAt));
          if (!schedule.isEnabled && !options.off && Object.keys(change).length > 0) output.note(staysOff);
        });
      }),
    );
};

const staysOff =
  "the change is kept, but the schedule is off: switch it on with --daily, --every-hours or --to";

const changeOf = (options: ScheduleOptions): Change => {
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
  const usage = (text: string) => new CliFailure("USAGE", text);
  if (daily !== undefined && everyHours !== undefined) throw usage("give --daily or --every-hours, not both");
  if (recipient !== undefined && unencrypted)
    throw usage("encrypt for --recipient or leave them --unencrypted, not both");
  const setting = settingOptions.find(([key]) => options[key] !== undefined);
  if (off && setting !== undefined)
    throw usage(
      `--off makes no more backups, so that ${setting[1]} would set nothing; leave one of them out`,
    );
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
  { every, place, keepLast, keepDays, recipients }: Schedule,
  nextAt: string | null,
): string => {
  if (nextAt === null) return "No backups are made by themselves.";
  const when = "hours" in every ? hoursText(every.hours) : `daily at ${every.dailyAt} UTC`;
  const kept = [
    ...(keepLast === null ? [] : [`the newest ${keepLast}`]),
    ...(keepDays === null ? [] : [keepDays === 1 ? "those of one day" : `those of ${keepDays} days`]),
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

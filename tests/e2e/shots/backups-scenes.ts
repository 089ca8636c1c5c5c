import { waitsAndFails } from "./admin-scenes.ts";
import {
  fills,
  isInvalid,
  meets,
  open,
  presses,
  pressesExactly,
  refuses,
  type Scene,
  type Step,
  scenesOn,
  scrollsToTable,
  sees,
  tells,
} from "./steps.ts";

const moment = (day: number, hour = 3) =>
  `2026-11-${String(day).padStart(2, "0")}T${String(hour).padStart(2, "0")}:00:00.000Z`;
const nameOf = (day: number, kind = "", end = "") =>
  `atrium-${kind}202611${String(day).padStart(2, "0")}T030000Z-5f0c1${day % 10}.tar.zst${end}`;
const recipient = `age1${"q".repeat(58)}`;

const run = {
  id: "run",
  state: "done",
  place: "storage",
  isScheduled: true,
  startedAt: moment(20),
  beatAt: moment(20),
  stage: "writing",
  table: "activities",
  rows: 184_220,
  readBytes: 92_400_000,
  name: nameOf(20, "scheduled-", ".age"),
  sizeBytes: 18_430_221,
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  error: null,
};

const backup = (day: number, more: object) => ({
  name: nameOf(day),
  place: "folder",
  sizeBytes: 18_000_000 + day * 31_000,
  createdAt: moment(day),
  isEncrypted: false,
  ...more,
});

const locked = (day: number) =>
  backup(day, { name: nameOf(day, "scheduled-", ".age"), place: "storage", isEncrypted: true });

const state = {
  backups: [
    ...[locked(20), locked(19), backup(18, {}), locked(18)],
    backup(17, { name: nameOf(17, "before-restore-") }),
  ],
  storageFault: null,
  hasStorage: true,
  run,
  last: { at: moment(20), name: run.name, place: "storage", sizeBytes: run.sizeBytes },
  proof: { at: moment(19, 9), name: nameOf(19, "scheduled-", ".age"), madeAt: moment(19), isSound: true },
  schedule: {
    isEnabled: true,
    every: { dailyAt: "03:00" },
    place: "storage",
    keepLast: 14,
    keepDays: null,
    recipients: [recipient],
  },
  nextAt: moment(21),
};

const api = "**/api/admin/backups";
const told = (change: object = {}) => {
  const data = { ...state, ...change };
  return [tells(api, data), tells("**/api/admin/backups/run", data.run), open];
};
const many = [told(), meets("table", "Backups")];
const pressesFirst: Step = (page) =>
  page.getByRole("table", { name: "Backups" }).getByRole("button").first().click();
const details = [many, pressesFirst, meets("dialog")];
const error = "The backup failed; see the server's log for the reason";
const storageFault = "The bucket refused the key";
// Where the focus has led, half a row of the table may lie below the page's head.
const scrollsUp: Step = (page) => page.evaluate(() => window.scrollTo(0, 0));

/** The page of backups. */
export const backupsScenes: readonly Scene[] = scenesOn("admin", "/admin/backups", {
  ...waitsAndFails("backups"),
  "backups-many": many,
  "backups-rows": [many, scrollsToTable("Backups")],
  "backups-details": details,
  "backups-delete": [details, pressesExactly("Delete"), meets("dialog", "Delete this backup?")],
  "backups-running": [
    told({ run: { ...run, state: "running", name: null, isScheduled: false } }),
    sees("Backup in progress"),
  ],
  "backups-failed-run": [
    told({ run: { ...run, state: "failed", name: null, error }, storageFault }),
    sees(error),
  ],
  "backups-refused": [
    [many, refuses(api, 409, "CONFLICT", "A backup is already running; wait until it is done")],
    [presses("Back up now"), sees("wait until it is done")],
  ],
  "backups-schedule-errors": [
    many,
    fills({ "Time of day (UTC)": "25:00", "Keep the last": "0", "Age recipients": "age1" }),
    [presses("Save schedule"), isInvalid, scrollsUp],
  ],
});

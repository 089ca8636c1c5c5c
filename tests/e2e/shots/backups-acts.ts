import type { Page } from "playwright-core";
import type { Act } from "./acts.ts";
import { failure, fill, json } from "./answers.ts";

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

const tell = async (page: Page, change: object = {}) => {
  const data = { ...state, ...change };
  await page.route("**/api/admin/backups", json(200, { success: true, data }));
  await page.route("**/api/admin/backups/run", json(200, { success: true, data: data.run }));
};

const table = (page: Page) => page.getByRole("table", { name: "Backups" });

export const many: Act = async (page, go) => {
  await tell(page);
  await go();
  await table(page).waitFor();
};

export const rows: Act = async (page, go) => {
  await many(page, go);
  await table(page).evaluate((element) => element.scrollIntoView());
};

export const details: Act = async (page, go) => {
  await many(page, go);
  await table(page).getByRole("button").first().click();
  await page.getByRole("dialog").waitFor();
};

export const askToDelete: Act = async (page, go) => {
  await details(page, go);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("dialog", { name: "Delete this backup?" }).waitFor();
};

export const running: Act = async (page, go) => {
  await tell(page, { run: { ...run, state: "running", name: null, isScheduled: false } });
  await go();
  await page.getByText("Backup in progress").waitFor();
};

export const broken: Act = async (page, go) => {
  const error = "The backup failed; see the server's log for the reason";
  const storageFault = "The bucket refused the key";
  await tell(page, { run: { ...run, state: "failed", name: null, error }, storageFault });
  await go();
  await page.getByText(error).waitFor();
};

export const refused: Act = async (page, go) => {
  await many(page, go);
  await page.route(
    "**/api/admin/backups",
    failure(409, "CONFLICT", "A backup is already running; wait until it is done"),
  );
  await page.getByRole("button", { name: "Back up now" }).click();
  await page.getByText("wait until it is done").first().waitFor();
};

export const wrongly: Act = async (page, go) => {
  await many(page, go);
  await fill(page, { "Time of day (UTC)": "25:00", "Keep the last": "0", "Age recipients": "age1" });
  await page.getByRole("button", { name: "Save schedule" }).click();
  await page.locator("[aria-invalid=true]").first().waitFor();
  // Where the focus has led, half a row of the table may lie below the page's head.
  await page.evaluate(() => window.scrollTo(0, 0));
};

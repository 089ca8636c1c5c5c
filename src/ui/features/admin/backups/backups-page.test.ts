import { describe, expect, test } from "bun:test";
import type { Backup, BackupRun, BackupState } from "#api/modules/backups/contract.ts";
import { backupTexts as words } from "#contract/backup-texts.ts";
import { type OpenPage, openPages, refusal } from "#ui/testing/pages.ts";
import { backupPageTexts, scheduleTexts, backupTexts as texts } from "./texts.ts";

const open = openPages();

const path = "/api/admin/backups";
const state = `GET ${path}`;
const save = `PUT ${path}/schedule`;

const backup: Backup = {
  name: "atrium-2026-10-28T090000Z.backup",
  place: "folder",
  sizeBytes: 1_048_576,
  createdAt: "2026-10-28T09:00:00.000Z",
  isEncrypted: false,
};
const aRun = (change: Partial<BackupRun> = {}): BackupRun => ({
  id: "r1",
  state: "running",
  place: "folder",
  isScheduled: false,
  startedAt: "2026-10-28T09:00:00.000Z",
  beatAt: "2026-10-28T09:00:01.000Z",
  stage: "writing",
  table: null,
  rows: 1200,
  readBytes: 4096,
  name: null,
  sizeBytes: null,
  sha256: null,
  error: null,
  ...change,
});
const backups = (change: Partial<BackupState> = {}): { data: BackupState } => ({
  data: {
    run: null,
    last: null,
    proof: null,
    schedule: {
      isEnabled: false,
      every: { hours: 24 },
      place: "folder",
      keepLast: 14,
      keepDays: null,
      recipients: [],
    },
    nextAt: null,
    backups: [],
    storageFault: null,
    hasStorage: false,
    ...change,
  },
});
const openBackups = (change: Partial<BackupState> = {}) =>
  open("/admin/backups", { as: "admin", answers: { [state]: backups(change) } });

describe("a backup", () => {
  test("is begun once however often it is asked for, followed, and listed when it is made", async () => {
    const page = await openBackups();
    await page.shows(backupPageTexts.none);
    page.answer({
      [`POST ${path}`]: { message: words.started },
      [state]: backups({ run: aRun() }),
      [`GET ${path}/run`]: { data: aRun() },
    });
    await page.press(backupPageTexts.now);
    await page.shows(backupPageTexts.running("Data folder"));
    await page.shows(/^1,200 rows/);
    await page.press(backupPageTexts.now);
    expect(page.calls(`POST ${path}`).map(({ body }) => body)).toEqual([{ place: "folder" }]);
    const done = aRun({ state: "done", name: backup.name });
    page.answer({ [`GET ${path}/run`]: { data: done }, [state]: backups({ run: done, backups: [backup] }) });
    await page.passTime(1_000);
    await page.shows(backupPageTexts.made);
    await page.row(backupPageTexts.kinds.manual);
  });

  test("that is refused is told beside the button", async () => {
    const page = await openBackups();
    await page.shows(backupPageTexts.none);
    page.answer({ [`POST ${path}`]: refusal("CONFLICT", words.underWay) });
    await page.press(backupPageTexts.now);
    await page.shows(words.underWay);
  });

  test("that is canceled is said to be, and is no error", async () => {
    const page = await open("/admin/backups", {
      as: "admin",
      answers: { [state]: backups({ run: aRun() }), [`GET ${path}/run`]: { data: aRun() } },
    });
    await page.shows(backupPageTexts.running("Data folder"));
    page.answer({
      [`DELETE ${path}/run`]: { message: words.cancelling },
      [state]: backups({ run: aRun({ state: "failed", error: words.cancelled }) }),
    });
    await page.press(backupPageTexts.cancel);
    await page.shows(/^The backup of .* was canceled$/);
    await page.shows(backupPageTexts.cancelledText);
    expect(page.offers("alert")).toBe(false);
  });

  test("that failed is an error with its reason", async () => {
    const page = await openBackups({ run: aRun({ state: "failed", error: "The disk is full." }) });
    expect((await page.findByRole("alert")).textContent).toContain("The disk is full.");
  });

  test("can be had as a file, tells how it is restored, and is deleted after a question", async () => {
    const page = await openBackups({ backups: [backup] });
    const row = await page.row(backupPageTexts.kinds.manual);
    await page.click(row.querySelector("button") ?? row);
    await page.shows(`atrium restore ${backup.name} --yes`);
    expect(page.getByRole("link", { name: texts.download }).getAttribute("href")).toBe(
      `${path}/folder/${backup.name}/download`,
    );
    await page.press(texts.remove);
    await page.shows(texts.removeText(backup.name));
    page.answer({ [`DELETE ${path}/folder/${backup.name}`]: { message: words.removed }, [state]: backups() });
    await page.press(texts.removeConfirm);
    await page.shows(words.removed);
    await page.shows(backupPageTexts.none);
  });
});

describe("the schedule", () => {
  const fillIn = async (page: OpenPage, time: string, last: string, days = "") => {
    await page.choose(scheduleTexts.when, scheduleTexts.modes.daily);
    await page.fill(scheduleTexts.time, time);
    await page.fill(scheduleTexts.keepLast, last);
    await page.fill(scheduleTexts.keepDays, days);
    await page.press(scheduleTexts.save);
  };

  test("shows errors beside their fields, and is saved once they are fixed", async () => {
    const page = await openBackups();
    await fillIn(page, "25:00", "0", "-1");
    const errorOf = (label: string) => {
      const ids = page.getByLabelText(label).getAttribute("aria-describedby")?.split(" ") ?? [];
      return document.getElementById(ids.find((id) => id.endsWith("-error")) ?? "")?.textContent;
    };
    await page.shows(words.badTime);
    expect([scheduleTexts.time, scheduleTexts.keepLast, scheduleTexts.keepDays].map(errorOf)).toEqual([
      words.badTime,
      words.badKept,
      words.badDays,
    ]);
    expect(page.value(scheduleTexts.time)).toBe("25:00");
    expect(page.calls(save)).toEqual([]);
    page.answer({ [save]: { message: words.scheduled } });
    await fillIn(page, "04:30", "5");
    await page.shows(words.scheduled);
    expect(page.calls(save).map(({ body }) => body)).toEqual([
      {
        isEnabled: true,
        every: { dailyAt: "04:30" },
        place: "folder",
        keepLast: 5,
        keepDays: null,
        recipients: [],
      },
    ]);
  });

  test("puts the server's complaint beside the field that it is about", async () => {
    const page = await openBackups();
    const errors = [{ path: "every.dailyAt", message: "Not at this time" }];
    page.answer({ [save]: refusal("VALIDATION_FAILED", "Please check", { errors }) });
    await fillIn(page, "04:30", "5");
    await page.shows("Not at this time");
    await page.focusIsAt(page.getByLabelText(scheduleTexts.time));
  });
});

import { Elysia } from "elysia";
import type { Door } from "#api/door/door.ts";
import { bytesAnswer } from "#api/modules/download.ts";
import { failures, fileAnswer } from "#api/modules/fields.ts";
import { cancelBackup } from "./cancel-backup.ts";
import { downloadBackup } from "./download-backup.ts";
import { listBackups } from "./list-backups.ts";
import {
  backupHealth,
  backupParams,
  backupRun,
  backupState,
  changedSchedule,
  notedProof,
  proofBody,
  removedBackup,
  scheduleBody,
  startBackupBody,
  startedBackup,
} from "./model.ts";
import { noteProof } from "./note-proof.ts";
import { readBackupHealth } from "./read-backup-health.ts";
import { readRun } from "./read-run.ts";
import { removeBackup } from "./remove-backup.ts";
import { setSchedule } from "./set-schedule.ts";
import { startBackup } from "./start-backup.ts";

const tags = ["Backups"];
const success = true as const;
const reading = failures("NOT_SIGNED_IN", "FORBIDDEN", "DB_UNAVAILABLE", "VALIDATION_FAILED");
const writing = failures("CROSS_ORIGIN", "STORAGE_FULL");
const withBody = failures("BAD_REQUEST", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "CONFLICT");
const withStorage = failures("NOT_FOUND", "STORAGE_UNAVAILABLE", "CONFLICT");

/** The calls about backups. */
export const backupRoutes = (door: Door) =>
  new Elysia({ prefix: "/api/admin/backups" })
    .use(door)
    .get("", async ({ ctx }) => ({ success, data: await listBackups(ctx) }), {
      access: "admin",
      scope: "all",
      response: { 200: backupState, ...reading },
      detail: {
        summary: "Backups that are kept, the newest making of one, and the schedule",
        description: "Newest first. While one is being made, `run` tells how far it is.",
        tags,
      },
    })
    .get("/health", async ({ ctx }) => ({ success, data: await readBackupHealth(ctx) }), {
      access: "admin",
      scope: "any",
      response: { 200: backupHealth, ...reading },
      detail: {
        summary:
          "Whether backups are made: the newest making, the last success, the newest trial restore, the schedule",
        description: "The same without the list, for which object storage has to be asked.",
        tags,
      },
    })
    .post("/proof", ({ ctx, body }) => noteProof(ctx, body), {
      access: "operator",
      body: proofBody,
      response: { 200: notedProof, ...reading, ...writing, ...withBody },
      detail: {
        summary: "Note what a trial restore at the terminal found",
        description: "Refused with `CONFLICT` for a backup of another installation.",
        tags,
      },
    })
    .get("/run", async ({ ctx }) => ({ success, data: await readRun(ctx) }), {
      access: "admin",
      scope: "all",
      response: { 200: backupRun, ...reading },
      detail: {
        summary: "How far the newest backup is; `null` before the first",
        description:
          "Whichever server makes it: its stage, with rows and bytes so far while it runs; in the end its name, size " +
          "and SHA-256, or why it failed. To follow one, ask every few seconds.",
        tags,
      },
    })
    .delete("/run", ({ ctx }) => cancelBackup(ctx), {
      access: "admin",
      scope: "all",
      response: { 200: removedBackup, ...reading, ...writing, ...failures("CONFLICT") },
      detail: {
        summary: "Cancel the backup that is being made",
        description:
          "Whichever server makes it, also one that hangs; nothing of it is kept. Refused with `CONFLICT` when none is being made.",
        tags,
      },
    })
    .post("", ({ ctx, body }) => startBackup(ctx, body), {
      access: "admin",
      scope: "all",
      body: startBackupBody,
      response: { 200: startedBackup, ...reading, ...writing, ...withBody },
      detail: {
        summary: "Begin a backup",
        description:
          "Answers at once; it is made while the server goes on, one at a time. Without `recipients` it is encrypted as " +
          "scheduled ones are. `handover` keeps it in the data folder, unlisted, for the caller to download and remove. The " +
          "installation's key goes along (`includeKey`) for the operator alone, and only into an encrypted one.",
        tags,
      },
    })
    .put("/schedule", ({ ctx, body }) => setSchedule(ctx, body), {
      access: "admin",
      scope: "all",
      body: scheduleBody,
      response: { 200: changedSchedule, ...reading, ...writing, ...withBody },
      detail: {
        summary: "Set when backups are made by themselves",
        description:
          "Every number of hours, or daily at a time in UTC. The oldest of the schedule's own backups go when there are more " +
          "than `keepLast` or when they are older than `keepDays`; the newest always stays.",
        tags,
      },
    })
    .get(
      "/:place/:name/download",
      async ({ ctx, params }) => {
        const { name, sizeBytes, bytes } = await downloadBackup(ctx, params);
        return bytesAnswer({ fileName: name, contentType: "application/octet-stream", sizeBytes, bytes });
      },
      {
        access: "admin",
        scope: "all",
        mayTakeLong: true,
        params: backupParams,
        response: { 200: fileAnswer("application/octet-stream", "The backup"), ...reading, ...withStorage },
        detail: { summary: "Download a backup", description: "That it was taken is recorded.", tags },
      },
    )
    .delete("/:place/:name", ({ ctx, params }) => removeBackup(ctx, params), {
      access: "admin",
      scope: "all",
      params: backupParams,
      response: { 200: removedBackup, ...reading, ...writing, ...withStorage },
      detail: {
        summary: "Remove a backup for good",
        description:
          "Nothing brings it back. The removal stands in the activity log before anything is removed. 404 for a backup " +
          "that is not there.",
        tags,
      },
    });

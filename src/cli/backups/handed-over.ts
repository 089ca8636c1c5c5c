import type { ApiAnswer } from "#cli/api-calls.ts";

type Making = Pick<ApiAnswer<"GET /api/admin/backups/health">, "run">;

/** The newest backup, where it went to a file of whoever made it, and nobody knows what became of it; `null` otherwise. */
export const handedOver = ({ run }: Making): { at: string; sizeBytes: number } | null =>
  run?.state === "done" && run.place === "handover"
    ? { at: run.beatAt, sizeBytes: run.sizeBytes ?? 0 }
    : null;

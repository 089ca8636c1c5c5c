import { texts } from "../texts.ts";

const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/** A text of admins, trimmed; the complaint about it otherwise. */
export const readText = (text: string, most: number): { text: string } | { complaint: string } => {
  const trimmed = text.trim();
  if (trimmed.length > most) return { complaint: texts.noteLength(most) };
  return unprintable.test(trimmed) ? { complaint: texts.unprintable } : { text: trimmed };
};

const units: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const yearMs = 366 * 86_400_000;

/** Milliseconds of a time such as `30m`, `12h` or `7d`, a year at most; `null` for anything else. */
export const readDuration = (text: string): number | null => {
  const [, count = "", unit = ""] = /^([1-9]\d{0,5})([mhd])$/.exec(text.trim()) ?? [];
  const ms = Number(count) * (units[unit] ?? 0);
  return ms > 0 && ms <= yearMs ? ms : null;
};

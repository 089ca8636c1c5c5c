/** The units in which a window is given, largest first. */
export const windowUnits = ["hour", "minute", "second"] as const;
export type WindowUnit = (typeof windowUnits)[number];

const unitMs = { hour: 3_600_000, minute: 60_000, second: 1_000 } as const;

/** Bounds of a window, in milliseconds. */
const windowBounds = [1_000, 86_400_000] as const;

/** A window in the largest unit in which it is whole. */
export const readWindow = (windowMs: number): { amount: number; unit: WindowUnit } => {
  const unit = windowUnits.find((candidate) => windowMs % unitMs[candidate] === 0) ?? "second";
  return { amount: Math.round(windowMs / unitMs[unit]), unit };
};

/** Milliseconds of a window as it was typed; `null` for what is no whole number or out of bounds. */
export const toWindowMs = (amount: string, unit: string): number | null => {
  const known = windowUnits.find((candidate) => candidate === unit);
  if (known === undefined || !/^\d{1,6}$/.test(amount.trim())) return null;
  const ms = Number(amount) * unitMs[known];
  return ms >= windowBounds[0] && ms <= windowBounds[1] ? ms : null;
};

/** A window in words of the reader's language, such as "15 minutes". */
export const windowText = (windowMs: number, locale?: string): string => {
  const { amount, unit } = readWindow(windowMs);
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(amount);
};

import { packageBytes } from "#contract/plugins.ts";
import { uploadTexts as texts } from "./texts.ts";

/** What is wrong with the chosen file as far as can be seen from outside; `null` for nothing. */
export const fileComplaint = (file: Pick<File, "name" | "size"> | null): string | null => {
  if (file === null) return texts.noFile;
  if (!file.name.toLowerCase().endsWith(".zip")) return texts.onlyZip;
  return file.size > packageBytes ? texts.tooLarge : null;
};

const leastMB = 0.01;

/** A size in megabytes with two decimals, as the reader's language writes it; the smallest files are 0.01 MB. */
export const megabytes = (bytes: number, locale?: string): string =>
  new Intl.NumberFormat(locale, {
    style: "unit",
    unit: "megabyte",
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }).format(Math.max(leastMB, bytes / 1_000_000));

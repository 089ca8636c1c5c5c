import { notify } from "./notices.ts";

/** Words of copying, the same wherever it is offered. */
export const copyTexts = {
  copy: (what: string) => `Copy ${what}`,
  copied: "Copied",
  failed: "This browser doesn't allow copying. Select the text instead.",
} as const;

/** Copies a text; resolves to whether that worked, and warns where it did not. */
export const copyQuietly = async (text: string): Promise<boolean> => {
  try {
    // Absent where the page came over plain http from another machine.
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    console.warn("copying failed", error);
    notify({ tone: "warning", message: copyTexts.failed });
    return false;
  }
};

/** Copies a text, and says whether that worked. */
export const copyText = async (text: string): Promise<void> => {
  if (await copyQuietly(text)) notify({ tone: "success", message: copyTexts.copied });
};

import { docsTexts as texts } from "./texts.ts";

const shownMs = 2000;

/** Gives each piece of code a button that copies it, and says whether it did. */
export const offerCopies = (): void => {
  // Browsers offer it on https and on this machine alone.
  if (!("clipboard" in navigator)) return;
  const notice = document.getElementById("notice");
  for (const code of document.querySelectorAll<HTMLElement>("figure.code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = texts.copy;
    button.addEventListener("click", async () => {
      const outcome = await copy(code.querySelector("pre")?.textContent ?? "");
      button.textContent = outcome;
      if (notice) notice.textContent = outcome;
      setTimeout(() => {
        button.textContent = texts.copy;
        if (notice) notice.textContent = "";
      }, shownMs);
    });
    code.append(button);
  }
};

/** What there is to say afterwards. */
const copy = async (text: string): Promise<string> => {
  try {
    await navigator.clipboard.writeText(text);
    return texts.copied;
  } catch {
    // The reader has not allowed it; he can still mark the code and copy it himself.
    return texts.notCopied;
  }
};

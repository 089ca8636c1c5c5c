import { docsTexts as texts } from "./texts.ts";

const shownMs = 2000;

/** Gives each piece of code a button that copies it, and says when it did. */
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
      await navigator.clipboard.writeText(code.querySelector("pre")?.textContent ?? "");
      button.textContent = texts.copied;
      if (notice) notice.textContent = texts.copied;
      setTimeout(() => {
        button.textContent = texts.copy;
        if (notice) notice.textContent = "";
      }, shownMs);
    });
    code.append(button);
  }
};

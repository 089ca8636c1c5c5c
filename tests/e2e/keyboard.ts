import type { Page } from "playwright-core";

// More stops than any page has.
const mostStops = 80;

/** Presses Tab until the control with this name has the focus, as somebody without a pointer does. Throws when none has. */
export const tabTo = async (page: Page, name: string): Promise<void> => {
  const passed: string[] = [];
  while (passed.length < mostStops) {
    await page.keyboard.press("Tab");
    const stop = await focusedName(page);
    if (stop === name) return;
    passed.push(stop);
  }
  throw new Error(`the Tab key never reaches “${name}”, only: ${passed.join(", ")}`);
};

/** Goes to the field with this label and types. */
export const typeAt = async (page: Page, label: string, text: string): Promise<void> => {
  await tabTo(page, label);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(text);
};

/** Goes to the button or link with this name and presses Enter. */
export const pressAt = async (page: Page, name: string): Promise<void> => {
  await tabTo(page, name);
  await page.keyboard.press("Enter");
};

const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement } = document;
    if (!(activeElement instanceof HTMLElement)) return "nothing";
    const isField =
      activeElement instanceof HTMLInputElement ||
      activeElement instanceof HTMLTextAreaElement ||
      activeElement instanceof HTMLSelectElement;
    // A switch is a button that has a label, as fields have.
    const isLabelled =
      isField || (activeElement instanceof HTMLButtonElement && activeElement.labels.length > 0);
    const label = isLabelled ? activeElement.labels?.[0] : activeElement;
    return activeElement.getAttribute("aria-label") ?? label?.textContent?.trim() ?? "";
  });

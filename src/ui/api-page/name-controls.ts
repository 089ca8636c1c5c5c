import { apiPageTexts as texts } from "./texts.ts";

/**
 * Gives names to those of Swagger UI's controls that have none, or all the same, and makes examples that scroll reachable
 * by keyboard: in what there is below `place`, and in all that comes.
 */
export const nameControls = (place: Element): void => {
  const nameAll = () => {
    for (const [selector, nameOf] of Object.entries(names))
      for (const control of place.querySelectorAll<HTMLElement>(`${selector}:not([aria-label])`))
        control.setAttribute("aria-label", nameOf(control));
    for (const example of place.querySelectorAll<HTMLElement>(".highlight-code pre:not([tabindex])"))
      example.tabIndex = 0;
  };
  nameAll();
  new MutationObserver(nameAll).observe(place, { childList: true, subtree: true });
};

const names: Record<string, (control: HTMLElement) => string> = {
  ".operation-filter-input": () => texts.filter,
  ".close-modal": () => texts.close,
  ".body-param textarea": () => texts.body,
  ".expand-operation": (button) => button.closest<HTMLElement>("[data-tag]")?.dataset.tag ?? "",
  "[data-param-name] :is(input, select, textarea)": (field) =>
    field.closest<HTMLElement>("[data-param-name]")?.dataset.paramName ?? "",
};

import type { Found } from "./find-sections.ts";

/** Puts what was found into the list, each a link: the heading, and the page that it is on. */
export const showResults = (list: HTMLElement, found: readonly Found[]): void => {
  list.replaceChildren(
    ...found.map(({ href, title, heading }, at) => {
      const link = document.createElement("a");
      link.href = href;
      link.id = `result-${at}`;
      link.tabIndex = -1;
      link.role = "option";
      link.ariaSelected = "false";
      link.append(line("b", heading || title));
      if (heading !== "") link.append(line("span", title));
      return link;
    }),
  );
};

const line = (name: "b" | "span", text: string): HTMLElement =>
  Object.assign(document.createElement(name), { textContent: text });

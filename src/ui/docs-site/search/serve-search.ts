import { docsTexts as texts } from "../texts.ts";
import { type Found, findSections, type PackedIndex, type SearchIndex, unpackIndex } from "./search-index.ts";

const shownResults = 12;

/**
 * Makes the search field work: `/` goes there, the index is fetched when someone is there, arrow keys choose among what was
 * found, the best of which is chosen at first, Enter opens it and Esc closes the list.
 */
export const serveSearch = (): void => {
  const input = document.querySelector<HTMLInputElement>("#search");
  const panel = document.querySelector<HTMLElement>(".docs-results");
  const list = document.getElementById("results");
  const count = document.getElementById("count");
  const notice = document.getElementById("notice");
  if (!input || !panel || !list || !count || !notice) return;
  let index: Promise<SearchIndex> | undefined;
  let chosen = -1;

  const options = () => [...list.querySelectorAll<HTMLAnchorElement>("a")];
  const open = (isOpen: boolean) => {
    panel.hidden = !isOpen;
    input.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) choose(-1);
  };
  const choose = (next: number) => {
    chosen = next;
    for (const [at, option] of options().entries()) option.setAttribute("aria-selected", String(at === next));
    const option = options()[next];
    if (option) {
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else input.removeAttribute("aria-activedescendant");
  };
  // What is hidden with the list is not read out, so it is said in a place that is always there.
  const say = (text: string) => {
    count.textContent = text;
    notice.textContent = text;
  };
  const load = () => {
    index ??= fetchIndex().catch((error: unknown) => {
      // The next try fetches again.
      index = undefined;
      throw error;
    });
    return index;
  };
  const search = async () => {
    const query = input.value.trim();
    if (query === "") return open(false);
    open(true);
    if (list.childElementCount === 0) say(texts.reading);
    try {
      const all = await load();
      // Something else was typed meanwhile, which has its own turn.
      if (input.value.trim() !== query) return;
      const { count: total, found } = findSections(all, query, shownResults);
      showResults(list, found);
      say(total === 0 ? texts.none : texts.found(total, found.length));
      choose(0);
    } catch {
      list.replaceChildren();
      say(texts.failed);
    }
  };
  const onKey = (event: KeyboardEvent) => {
    const { length } = options();
    const steps: Record<string, number> = { ArrowDown: chosen + 1, ArrowUp: chosen - 1 };
    const step = steps[event.key];
    if (step !== undefined && length > 0 && !panel.hidden) {
      event.preventDefault();
      choose(((step % length) + length) % length);
    }
    if (event.key === "Enter" && !panel.hidden) options()[chosen]?.click();
    if (event.key === "Escape") {
      if (panel.hidden) input.value = "";
      open(false);
    }
  };

  input.addEventListener("focus", () => void load().catch(() => {}));
  input.addEventListener("input", search);
  input.addEventListener("click", search);
  input.addEventListener("keydown", onKey);
  list.addEventListener("click", () => open(false));
  // The field keeps the focus, or the list would close before the press has become a click.
  panel.addEventListener("mousedown", (event) => event.preventDefault());
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
  input.addEventListener("blur", () => open(false));
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");

const fetchIndex = async (): Promise<SearchIndex> => {
  const address = document.querySelector<HTMLElement>("[data-index]")?.dataset.index ?? "";
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`answered with ${answer.status}`);
  return unpackIndex(asPackedIndex(await answer.json()));
};

/** Trusts what it is given: the build of this very page wrote it. */
const asPackedIndex = (json: unknown): PackedIndex => json as PackedIndex;

/** Puts what was found into the list, each a link: the heading, and the page that it is on. */
const showResults = (list: HTMLElement, found: readonly Found[]): void => {
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

import { readPageToken } from "./page-token.ts";
import { keepPainted, setThemeMode, toggleTheme } from "./theme.ts";

/**
 * What a button with `data-control` does. These need no React: they work from the first paint on.
 * `theme` changes between light and dark, `sidebar` folds and unfolds the admin menu, `theme:<mode>` chooses a theme,
 * `open:<id>` opens a dialog as a modal, `close` ends the one around the button.
 */
type Control = "theme" | "sidebar" | "close" | `theme:${"light" | "dark" | "system"}` | `open:${string}`;

/** Marks a button as one of the page's own controls. */
export const control = (name: Control): { "data-control": Control } => ({ "data-control": name });

const sidebarKey = "sidebar";

/**
 * Sets theme and sidebar as this browser last left them, keeps the theme painted from then on, and tells the address's
 * error and step and whether it holds a token; called before the first paint, so that markup made ahead of time shows
 * immediately what depends on them.
 */
export const paintFirst = (): void => {
  keepPainted();
  const { dataset } = document.documentElement;
  const query = new URLSearchParams(location.search);
  dataset.error = query.get("error") ?? "";
  dataset.step = query.get("step") ?? "";
  dataset.token = query.get("token") || readPageToken() ? "given" : "none";
  dataset.sidebar = readSidebar() ?? (innerWidth < roomyWidth ? "collapsed" : "open");
};

/** From this width on, in CSS pixels, there is room for the sidebar beside the content (Tailwind's `lg`). */
const roomyWidth = 1024;

const readSidebar = (): string | null => {
  try {
    return localStorage.getItem(sidebarKey);
  } catch {
    // Storage is closed to this page: the sidebar starts as the window has room for it.
    return null;
  }
};

/** Serves every control of the page, present and future, with one listener. */
export const serveControls = (): void => {
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element)) return;
    const button = target.closest<HTMLElement>("[data-control]");
    if (button) act(button, button.dataset.control ?? "");
    else if (target instanceof HTMLDialogElement && target.dataset.drawer !== undefined) target.close();
  });
};

const act = (button: HTMLElement, name: string) => {
  const [verb, what = ""] = name.split(":");
  if (verb === "open") return openDialog(what);
  if (verb === "close") return button.closest("dialog")?.close();
  if (verb === "sidebar") return toggleSidebar();
  if (what === "light" || what === "dark" || what === "system") return setThemeMode(what);
  toggleTheme();
};

const openDialog = (id: string) => {
  const dialog = document.getElementById(id);
  if (dialog instanceof HTMLDialogElement && !dialog.open) dialog.showModal();
};

const toggleSidebar = () => {
  const { dataset } = document.documentElement;
  const next = dataset.sidebar === "collapsed" ? "open" : "collapsed";
  dataset.sidebar = next;
  try {
    localStorage.setItem(sidebarKey, next);
  } catch {
    // Storage is closed to this page: the choice holds until the next load.
  }
};

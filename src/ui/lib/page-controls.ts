import { paintTheme, setThemeMode, toggleTheme } from "./theme.ts";

/**
 * What a button with `data-control` does. These need no React: they work from the first paint on.
 * `theme` changes between light and dark, `sidebar` folds and unfolds the admin menu, `theme:<mode>` chooses a theme,
 * `open:<id>` opens a dialog as a modal, `close` ends the one around the button.
 */
type Control = "theme" | "sidebar" | "close" | `theme:${"light" | "dark" | "system"}` | `open:${string}`;

/** Marks a button as one of the page's own controls. */
export const control = (name: Control): { "data-control": Control } => ({ "data-control": name });

const sidebarKey = "sidebar";

/** Sets theme and sidebar as this browser last left them; called before the first paint. */
export const paintFirst = (): void => {
  paintTheme();
  try {
    if (localStorage.getItem(sidebarKey) === "collapsed")
      document.documentElement.dataset.sidebar = "collapsed";
  } catch {
    // Storage is closed to this page: the sidebar starts open.
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
  const isCollapsed = dataset.sidebar === "collapsed";
  dataset.sidebar = isCollapsed ? "open" : "collapsed";
  try {
    localStorage.setItem(sidebarKey, dataset.sidebar);
  } catch {
    // Storage is closed to this page: the choice holds until the next load.
  }
};

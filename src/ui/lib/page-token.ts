const keyOf = (path: string) => `token:${path}`;

/**
 * The mailed token that this tab opened the present page with, or `null`. It is kept for the tab alone, out of the address
 * and the history, so that the page can be reloaded.
 */
export const readPageToken = (): string | null => {
  try {
    return sessionStorage.getItem(keyOf(location.pathname));
  } catch {
    // Storage is closed to this page: a reload asks for the link again.
    return null;
  }
};

/** Keeps the present page's token until the tab is closed, or removes it once it is of no more use (`null`). */
export const keepPageToken = (token: string | null): void => {
  try {
    if (token === null) sessionStorage.removeItem(keyOf(location.pathname));
    else sessionStorage.setItem(keyOf(location.pathname), token);
  } catch {
    // Storage is closed to this page: nothing is kept, and nothing has to be removed.
  }
};

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

/**
 * Keeps the token of a page, of the present one unless `path` names another, until the tab is closed; `null` removes it once
 * it is of no more use.
 */
export const keepPageToken = (token: string | null, path: string = location.pathname): void => {
  try {
    if (token === null) sessionStorage.removeItem(keyOf(path));
    else sessionStorage.setItem(keyOf(path), token);
  } catch {
    // Storage is closed to this page: nothing is kept, and nothing has to be removed.
  }
};

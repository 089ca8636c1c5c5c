/** What one look at the installation found. `remedy` says what to do about a warning or a failure. */
export type Check = {
  name: string;
  state: "ok" | "warn" | "fail";
  detail: string;
  remedy: string | null;
};

/** A check that found nothing to mend. */
export const ok = (name: string, detail: string): Check => ({ name, state: "ok", detail, remedy: null });

/** A check that found something to look at; the installation works. */
export const warn = (name: string, detail: string, remedy: string): Check => ({
  name,
  state: "warn",
  detail,
  remedy,
});

/** A check that found something broken. */
export const fail = (name: string, detail: string, remedy: string): Check => ({
  name,
  state: "fail",
  detail,
  remedy,
});

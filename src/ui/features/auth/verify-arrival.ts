/**
 * What the page before left for /verify, /forgot-password or /login in the history entry, so that no address shows in the
 * address bar. `signedUpAs` is the name of an account that was made a moment ago with what this browser had registered.
 */
export type VerifyArrival = { email: string; message: string | null; signedUpAs: string | null };

/** Reads the history entry's state, which may be anything; what is missing is empty. */
export const readArrival = (state: unknown): VerifyArrival => {
  const read = (key: string): string | null => {
    const value: unknown = Reflect.get(Object(state), key);
    return typeof value === "string" ? value : null;
  };
  return { email: read("email") ?? "", message: read("message"), signedUpAs: read("signedUpAs") };
};

/** What the page before left for /verify or /forgot-password in the history entry, so that no address shows in the address bar. */
export type VerifyArrival = { email: string; message: string | null };

/** Reads the history entry's state, which may be anything; what is missing is empty. */
export const readArrival = (state: unknown): VerifyArrival => {
  if (typeof state !== "object" || state === null) return { email: "", message: null };
  const email = "email" in state && typeof state.email === "string" ? state.email : "";
  const message = "message" in state && typeof state.message === "string" ? state.message : null;
  return { email, message };
};

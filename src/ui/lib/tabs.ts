const name = "atrium-session";
const signedOut = "signed-out";

// Old browsers have none, and some close it to private windows: each tab then finds out by asking the server.
const openChannel = (): BroadcastChannel | null => {
  try {
    return typeof document === "undefined" ? null : new BroadcastChannel(name);
  } catch {
    return null;
  }
};

const channel = openChannel();

/** Tells this browser's other tabs that nobody is signed in any more. */
export const tellSignedOut = (): void => channel?.postMessage(signedOut);

/** Calls `listener` when another tab has signed out. */
export const onSignedOutElsewhere = (listener: () => void): void =>
  channel?.addEventListener("message", ({ data }) => data === signedOut && listener());

/** Something that others may want to hear of; it is over, and nothing waits for those who hear of it. */
export type Happening =
  | { name: "user.login"; userId: string }
  | { name: "user.registered"; userId: string }
  | { name: "plugin.state"; plugin: string; state: string }
  | { name: "settings.changed"; section: string };

/** Those that every visitor or member can bring about, as often as they are let in. */
export const visitorsHappenings: readonly string[] = ["user.login", "user.registered"];

/** Tells what happens in this process to those who listen here: nothing of it is kept or sent to other replicas. */
export type Happenings = {
  tell(happening: Happening): void;
  /** Calls `listener`, which must not throw, for each happening; returns the way to stop. */
  listen(listener: (happening: Happening) => void): () => void;
};

/** Begins without listeners. */
export const createHappenings = (): Happenings => {
  const listeners = new Set<(happening: Happening) => void>();
  return {
    tell: (happening) => {
      for (const listener of listeners) listener(happening);
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

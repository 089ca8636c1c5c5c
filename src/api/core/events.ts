/**
 * What the parts of one installation tell each other; `through` is the number of the newest activity, `generation` that
 * of the newest change of settings or of plugins, `topic` what a plugin calls it.
 */
export type AppEvent =
  | { type: "sessions-ended"; userId: string }
  | { type: "user-changed"; userId: string }
  | { type: "token-changed"; tokenId: string }
  | { type: "activity-recorded"; through: number }
  | { type: "settings-changed"; generation: number }
  | { type: "plugins-changed"; generation: number }
  | { type: "plugin-signal"; plugin: string; topic: string };

/** What is called for events, by their types. */
export type EventListeners = {
  [Type in AppEvent["type"]]?: (event: Extract<AppEvent, { type: Type }>) => void;
};

/** Carries events to every part of every replica. */
export type EventBus = {
  /** Notifies all listeners, those of this process first and immediately. Call it after the change has been committed. */
  publish(event: AppEvent): void;
  /**
   * Calls the listener for an event's type for each event of any replica; returns the way to stop. `onGap` is called when events
   * of others may have been missed: what was remembered before must be forgotten.
   */
  subscribe(listeners: EventListeners, onGap?: () => void): () => void;
  /** Whether events from other replicas arrive. While it is `false`, caches that depend on them must not be used. */
  readonly isConnected: boolean;
};

/** An event bus without listeners, as for a command while no server runs. */
export const silentEvents: EventBus = { publish: () => {}, subscribe: () => () => {}, isConnected: true };

/** Something that others may want to hear of; it is over, and nothing waits for those who hear of it. */
export type Happening =
  | { name: "user.login"; userId: string }
  | { name: "user.registered"; userId: string }
  | { name: "plugin.state"; plugin: string; state: string }
  | { name: "settings.changed"; section: string };

/** Events that every visitor or user can cause. */
export const visitorsHappenings: readonly string[] = ["user.login", "user.registered"];

/** Notifies listeners in this process; nothing is stored or sent to other replicas. */
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

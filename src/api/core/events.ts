/**
 * What the parts of one installation tell each other; `through` is the number of the newest activity, `generation` that
 * of the newest change of settings or of plugins.
 */
export type AppEvent =
  | { type: "sessions-ended"; userId: string }
  | { type: "user-changed"; userId: string }
  | { type: "token-changed"; tokenId: string }
  | { type: "activity-recorded"; through: number }
  | { type: "settings-changed"; generation: number }
  | { type: "plugins-changed"; generation: number };

/** Carries events to every part of every replica. */
export type EventBus = {
  /** Tells everybody, this process first and at once. Call it after the change has been committed. */
  publish(event: AppEvent): void;
  /**
   * Calls `listener` for each event of any replica; returns the way to stop. `onGap` is called when events of others
   * may have been missed: what was remembered before must be forgotten.
   */
  subscribe(listener: (event: AppEvent) => void, onGap?: () => void): () => void;
  /** Whether events of other replicas arrive. While it is `false`, caches that depend on them must not be used. */
  readonly isConnected: boolean;
};

/** The bus of work that nobody listens to, as at a terminal while no server runs. */
export const silentEvents: EventBus = { publish: () => {}, subscribe: () => () => {}, isConnected: true };

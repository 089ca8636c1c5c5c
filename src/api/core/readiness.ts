/** How one of the parts is doing, and since when as far as this process knows; `note` says what is wrong, for admins. */
export type PartState = {
  state: "up" | "away" | "degraded" | "starting" | "unused";
  since: string;
  note: string | null;
};

/** The parts that requests are answered with. */
export const readinessParts = ["database", "disk", "redis", "storage", "mail", "plugins"] as const;
export type ReadinessPart = (typeof readinessParts)[number];

/** `degraded`: requests are answered, but something that was set up does not work. */
export type ReadyReport = { status: "ready" | "degraded"; parts: Record<ReadinessPart, PartState> };

/** Whether requests can be answered at this moment. */
export type Readiness = {
  /** Throws `SHUTTING_DOWN` and `DB_UNAVAILABLE`, with the state as a word in `data.status`. */
  read(): Promise<ReadyReport>;
};

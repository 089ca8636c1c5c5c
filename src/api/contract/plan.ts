/** What a change would do, as its dry run tells it; nothing of it was done. */
export type Plan = {
  /** What the activity log would say was changed. */
  changes: { action: string; description: string; before: unknown; after: unknown }[];
  /** The emails that would be sent. */
  mails: { to: string; subject: string }[];
  /** What the parts of the installation would tell each other. */
  events: PlannedEvent[];
  /** What would be done, in a sentence that begins with "Would". */
  summary: string;
};

/** What parts of an installation can tell each other. */
export const plannedEvents = [
  "sessions-ended",
  "user-changed",
  "token-changed",
  "activity-recorded",
  "settings-changed",
  "plugins-changed",
  "plugin-signal",
] as const;
type PlannedEvent = (typeof plannedEvents)[number];

/** The path that plans an operation, by its name in the API's document. */
export const planPath = (id: string): string => `/api/plan/${id}`;

/** The query parameter that turns a change into its dry run, where it is `true`. */
export const dryRunName = "dryRun";

/** The sentences of dry runs. */
export const planTexts = {
  oneValue: "Please send one text or number",
  nothing: "Would change nothing",
  tooSlow: "The dry run took too long and was stopped; nothing was changed",
  valueInvalid: "Please say true, or leave it out",
  notForPlugins: "This request of a plugin has no dry run, and nothing was changed",
};

/**
 * The calls with GET that change something, by their paths as the API's description writes them: those that browsers are led
 * to. A test holds them to the routes.
 */
export const changingReads = [
  "/api/auth/github/callback",
  "/api/auth/google/callback",
  "/api/auth/logout",
  "/api/auth/verify-email/{token}",
  "/api/auth/{provider}/callback",
] as const;

/** First word of the command line with which the executable becomes the process of its embedded database. */
export const databaseSubcommand = "__database";

/** What the database process is started with. */
export type ChildArguments = {
  dataDir: string;
  socketPath: string;
  /** The ready-made cluster for an empty folder, or `null` to have one made. */
  seedFile: string | null;
  parentPid: number;
};

/** From the server to its database process. */
export type ToChild = { type: "ping" } | { type: "close" };

/** From the database process to its server. */
export type FromChild =
  | { type: "ready" }
  | { type: "pong"; rssBytes: number }
  /** Another process has the data folder open. This process exits next. */
  | { type: "in-use"; pid: number | null }
  /**
   * It could not open the folder, for a reason that the operator has to look at; `isFinal` where another automatic try would
   * change nothing. The process exits next.
   */
  | { type: "unusable"; text: string; isFinal: boolean }
  | { type: "idle-transaction" }
  | { type: "broken"; reason: string };

/** Trusts messages of the private channel between the two processes, to which only they can write. */
export const asFromChild = (message: unknown): FromChild => message as FromChild;

/** See {@link asFromChild}. */
export const asToChild = (message: unknown): ToChild => message as ToChild;

/** The arguments as the server wrote them into the command line. */
export const parseChildArguments = (json: string): ChildArguments => JSON.parse(json) as ChildArguments;

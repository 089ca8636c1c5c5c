/**
 * Why a plugin could not be started: its package cannot be had (`away`), is not or no longer to be trusted (`distrust`),
 * may not be run on this server as it is set up (`refused`), or the plugin itself failed (`broken`).
 */
export type StartFailureKind = "away" | "distrust" | "refused" | "broken";

/** A start that came to nothing; `message` is a sentence for admins. */
export class StartFailure extends Error {
  readonly kind: StartFailureKind;

  constructor(kind: StartFailureKind, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "StartFailure";
    this.kind = kind;
  }
}

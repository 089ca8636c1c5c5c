/** What lies there is no whole installation, or no longer the one in use; the message says how to go on. */
export class UnusableInstallationError extends Error {
  override readonly name = "UnusableInstallationError";
}

/** Data cannot be moved this way; the message is for the operator. */
export class TransferError extends Error {
  override readonly name = "TransferError";
}

/** A part does not hold what its table takes: whoever wrote it was no database of this version. */
export class UnfitPartError extends TransferError {}

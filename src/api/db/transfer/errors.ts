/** The data is incomplete, or no longer the installation in use; the message says how to continue. */
export class UnusableInstallationError extends Error {
  override readonly name = "UnusableInstallationError";
}

/** Data cannot be moved this way; the message is for the operator. */
export class TransferError extends Error {
  override readonly name = "TransferError";
}

/** A part does not fit its table: it was not written by a database of this version. */
export class UnfitPartError extends TransferError {}

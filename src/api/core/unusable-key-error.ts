/**
 * The key of this installation cannot be used: missing, damaged, too weak, or not the one the database was made with.
 * The message says why and what to do, and never holds the key. `atrium serve` ends with exit code 78 on it.
 */
export class UnusableKeyError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "UnusableKeyError";
  }
}

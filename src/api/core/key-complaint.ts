const minBytes = 32;
const minDistinctCharacters = 8;

// What example files and tutorials put in the place of a key. Each is long enough not to start a random one by chance.
const placeholder = new RegExp(
  [
    "change[\\W_]*(me|this|it)",
    "((my|your|the|app|super)[\\W_]*)*(secret|password|passphrase)",
    "(my|your|app)[\\W_]*key",
    "replace[\\W_]*(me|this|with)",
    "placeholder|example|default|insecure|x{8}",
  ]
    .map((form) => `^[\\W_]*(${form})`)
    .join("|"),
  "i",
);

/** Why a text will not do as the installation's key, worded to follow its name, or `null` when it will. */
export const keyComplaint = (secret: string): string | null => {
  const length = new TextEncoder().encode(secret).length;
  if (length === 0) return "is empty";
  if (length < minBytes) return `is too short (${length} bytes; at least ${minBytes} are needed)`;
  if (isPlaceholder(secret)) return "looks like a placeholder instead of a key";
  if (new Set(secret).size < minDistinctCharacters || isRepetition(secret)) {
    return "repeats itself and could be guessed";
  }
  return null;
};

/** Whether a text starts like a placeholder for a secret in examples. */
export const isPlaceholder = (text: string): boolean => placeholder.test(text);

/** Whether a text is one piece written again and again, the last time perhaps in part. */
export const isRepetition = (text: string): boolean => {
  for (let period = 1; period <= text.length / 2; period += 1) {
    if (text.startsWith(text.slice(period))) return true;
  }
  return false;
};

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

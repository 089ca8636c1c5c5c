/** Shared bounds. Sources: CONTRACT §3, §4, §7; RFC 5321 §4.5.3.1 for the length of an address. */
export const limits = {
  jsonBodyBytes: 1_000_000,
  uploadBytes: 20_000_000,
  urlBytes: 8_192,
  nameLength: 100,
  emailLength: 254,
  passwordMinLength: 8,
  passwordMaxLength: 128,
  mailedTokenBytes: 32,
  sessionTokenBytes: 32,
  sessionMs: 30 * 24 * 60 * 60 * 1000,
  sessionTouchMs: 60 * 1000,
  verificationTokenMs: 24 * 60 * 60 * 1000,
  resetTokenMs: 60 * 60 * 1000,
  setupTokenMs: 60 * 60 * 1000,
  mailCooldownMs: 60 * 1000,
  pageSize: 25,
  pageSizeMax: 100,
} as const;

/** Timers of the screens, in milliseconds. Source: specification §9. */
export const timers = {
  redirectMs: 3_000,
  noticeMs: 5_000,
  chunkTimeoutMs: 120_000,
  requestTimeoutMs: 15_000,
} as const;

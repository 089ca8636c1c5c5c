/** Bounds that server and forms share. Source of an address's length: RFC 5321 §4.5.3.1. */
export const limits = {
  jsonBodyBytes: 1_000_000,
  uploadBytes: 20_000_000,
  bodyArrivalMs: 10_000,
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
  setupTokenMs: 60 * 60 * 1000,
  mailCooldownMs: 60 * 1000,
  signInWindowMs: 15 * 60 * 1000,
  signInFailuresByAddressAndIp: 10,
  signInFailuresByAddress: 20,
  signInFailuresByIp: 100,
  pageSize: 25,
  pageSizeMax: 100,
} as const;

/** Timers of the screens, in milliseconds. */
export const timers = {
  redirectMs: 3_000,
  noticeMs: 5_000,
  chunkTimeoutMs: 120_000,
  requestTimeoutMs: 15_000,
} as const;

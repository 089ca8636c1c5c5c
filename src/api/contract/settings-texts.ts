import { pageSettingsTexts } from "./page-settings-texts.ts";

/** Sentences about settings that server and forms share. */
export const settingsTexts = {
  ...pageSettingsTexts,
  secretUnreadable: "What is stored here cannot be read any more; please enter it again",
  secretLocked: "its stored secret cannot be read; enter it again",

  servicesSavedAndEmptied:
    "External services saved successfully. The secrets of the endpoint that was emptied are deleted",

  // Proxies
  everybodyLooksTheSame: (
    peer: string,
    { isListed, trustProxy }: { isListed: boolean; trustProxy: boolean },
  ) => {
    const remedy = [
      ...(isListed ? [] : [`name ${peer} in TRUSTED_PROXIES if it is yours`]),
      ...(trustProxy ? [] : ["switch Trust Proxy on"]),
    ].join(" and ");
    return `Every visitor looks the same: check your proxy. Requests come through ${peer}, and what it says of their senders does not count. To change that, ${remedy}.`;
  },

  // Connection tests
  redisWorks: "Redis Connection Test Successful",
  r2Works: "Cloudflare R2 Connection Test Successful",
  limiterWorks: "Rate Limiting Test Successful",
  mailWorks: "Mail Test Successful",
  noRedisYet: "No Redis is set up: enter its endpoint first",
  noBucketYet: "No object storage is set up: enter its bucket, endpoint and keys first",
  causeWithheld: "The connection failed. Sign in and run the test to see why",
  testRunning: "A test of yours is still running; please wait for its result",

  // History
  unknownChange: "There is no such change",
  nothingToRevert: "There is nothing to bring back: the change was about secrets, which are never kept",
  changedSince: "This was changed again later; please revert the later change first",
  reverted: "The former settings are back",
  revertedWithoutSecrets:
    "The former settings are back; the secrets that were entered for the other server are deleted, please enter those of this one again",
  revertedAndEmptied: "The former settings are back; the secrets of the endpoint that went are deleted",
  changeIdInvalid: "Please give the id of a change",
} as const;

/** Sentences about settings that server and forms share. */
export const settingsTexts = {
  // Rules
  redisEndpointInvalid: "Invalid Redis URL format. Expected: redis[s]://[[user]:password@]host[:port][/db]",
  bucketLength: "Bucket name must be between 3 and 63 characters",
  bucketCharacters: "Bucket name can only contain lowercase letters, numbers, and hyphens",
  bucketEdges: "Bucket name cannot start or end with a hyphen",
  bucketHyphens: "Bucket name cannot contain consecutive hyphens",
  tokenShort: "API token appears too short",
  tokenCharacters: "API token contains invalid characters",
  accessKeyShort: "Access Key ID appears too short",
  accessKeyCharacters: "Access Key ID contains invalid characters",
  secretKeyShort: "Secret Access Key appears too short",
  secretKeyCharacters: "Secret Access Key contains invalid characters",
  s3EndpointInvalid:
    "Invalid S3 endpoint format. Expected: https://<32 hex characters>.r2.cloudflarestorage.com",
  passwordUnprintable: "Please leave out control and invisible characters",
  secretTooLong: "This is too long to be a secret of this kind",
  addressRefused: "This address is not one that is called from here",
  enterAgain: "Please enter this again: the endpoint's host is another one now",
  endpointFirst: "Please enter the endpoint that this is for as well",
  secretUnreadable: "What is stored here cannot be read any more; please enter it again",
  secretLocked: "its stored secret cannot be read; enter it again",
  textExpected: "Please enter text",
  switchInvalid: "Please choose yes or no",
  maxRequestsInvalid: "Max Requests must be a whole number from 10 to 10000",
  windowInvalid: "Please choose a window of 1, 5, 10, 15 or 30 minutes, or 1 hour",
  messageInvalid: "Please enter a message of 1 to 200 visible characters",

  // Loading and saving
  credentialsNotLoaded: "Failed to load credentials",
  coreNotLoaded: "Failed to load core settings",
  notLoaded: "Error loading settings",
  servicesNotSaved: "Failed to save external services",
  coreNotSaved: "Failed to save core settings",
  servicesError: (message: string) => `Error saving external services: ${message}`,
  coreError: (message: string) => `Error saving core settings: ${message}`,
  unexpectedError: "Unexpected error saving settings",
  fixBeforeSaving: "Please fix validation errors before saving.",
  allSaved: "All settings saved successfully",
  servicesSaved: "External services saved successfully",
  coreSaved: "Core settings saved successfully",
  servicesSavedOnly: "External services saved successfully. Core settings are managed by firewall.",
  managedByFirewall: "Core settings are managed by firewall",

  // Firewall
  firewallRefreshed: "Firewall status refreshed",
  firewallSeemsOff: "Firewall status refreshed (firewall appears to be disabled)",
  firewallError: (message: string) => `Error refreshing firewall status: ${message}`,

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
  redisFails: "Redis Connection Test Failed",
  r2Works: "Cloudflare R2 Connection Test Successful",
  r2Fails: "Cloudflare R2 Connection Test Failed",
  limiterWorks: "Rate Limiting Test Successful",
  limiterFails: "Rate Limiting Test Failed",
  mailWorks: "Mail Test Successful",
  mailFails: "Mail Test Failed",
  testUnreachable: (subject: string) => `A network error occurred while testing ${subject}`,
  noRedisYet: "No Redis is set up: enter its endpoint first",
  noBucketYet: "No object storage is set up: enter its bucket, endpoint and keys first",
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

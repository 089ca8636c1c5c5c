import { tokenFields } from "#contract/field-marks.ts";

/** Words of the page with the API tokens. */
export const tokenPageTexts = {
  title: "API tokens",
  lead: "What scripts, pipelines and assistants call the API with",
  create: "Create token",
  loading: "Loading tokens",
  table: "API tokens",
  states: {
    live: "Active",
    expired: "Expired",
    revoked: tokenFields.revokedAt.label,
    ownerless: "Owner inactive",
  },
  ownerGone: "Refused while its owner is not an enabled administrator",
  operator: "Operator",
  never: "Never",
  none: "No tokens yet",
  noneText:
    "A token lets a script do what you allow it, without a browser and without your password. Make one, and call the API with it:",
  example: "example",
  everything: "Everything",
} as const;

/** Words of the form of a new token. */
export const createTexts = {
  title: "Create an API token",
  lead: "It acts for you, and ends when you are no administrator any more. Scopes and expiry date can't be changed later.",
  name: tokenFields.name.label,
  nameHint: "What it is for. The activity log calls what it does by this name.",
  noName: "Please give the token a name",
  access: tokenFields.scopes.label,
  furtherLevels: {
    plugins: { settings: "Change settings only", "write settings": "Change, settings too" },
    settings: { security: "Change, services and security too" },
    activity: {},
    users: {},
  },
  areas: { plugins: "Plugins", settings: "Settings", activity: "Activity log", users: "Users" },
  levels: { "": "None", read: "Read", write: "Read and write" },
  all: "Everything that an administrator may do",
  allText: "Whoever has this token can do all that you can, backups and other tokens included.",
  noAccess: "Please allow the token something",
  expires: tokenFields.expiresAt.label,
  ends: { 30: "In 30 days", 90: "In 90 days", 365: "In a year", custom: "On a day", never: "Never" },
  neverText: "It works until somebody revokes it.",
  day: "Last day",
  dayHint: "To its end in UTC",
  noDay: "Please choose the last day",
  networks: tokenFields.allowedNetworks.label,
  networksHint: "Addresses and ranges that it may be used from, one a line. Empty: from anywhere.",
  calls: tokenFields.callsPerMinute.label,
  callsHint: "Empty: no limit of its own",
  failed: "The token could not be created",
} as const;

/** Words of a token that was just made. */
export const newTokenTexts = {
  title: "Copy the token now",
  lead: "It is shown this once. Keep it where secrets are kept; who has it can use it.",
  token: "token",
  use: "Use it",
  command: "command",
  done: "I have copied it",
  leaveTitle: "Leave without the token?",
  leaveText: "It is not shown again. A token that nobody has is best revoked.",
  leave: "Leave",
} as const;

/** Words of one token. */
export const tokenTexts = {
  hint: (hint: string) => `Ends in ${hint}`,
  from: (moment: string, ip: string) => `${moment} from ${ip}`,
  change: "Change",
  save: "Save changes",
  saveFailed: "The token could not be changed",
  revoke: "Revoke",
  revokeTitle: (name: string) => `Revoke ${name}?`,
  revokeText: "The very next call with it is refused. It cannot be brought back.",
  revokeConfirm: "Revoke token",
  revokeFailed: "The token could not be revoked",
  remove: "Remove from list",
  removeTitle: (name: string) => `Remove ${name} from the list?`,
  removeText: "The activity log keeps what it did.",
  removeFailed: "The token could not be removed",
} as const;

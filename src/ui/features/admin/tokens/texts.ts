import { tokenFields } from "#contract/field-marks.ts";

/** Words of the page with the API tokens. */
export const tokenPageTexts = {
  title: "API tokens",
  lead: "Tokens let scripts, pipelines and assistants use the API",
  create: "Create token",
  loading: "Loading tokens",
  table: "API tokens",
  states: {
    live: "Active",
    expired: "Expired",
    revoked: tokenFields.revokedAt.label,
    ownerless: "Owner inactive",
  },
  ownerGone: "Rejected because its owner is not an active administrator",
  operator: "Operator",
  never: "Never",
  none: "No tokens yet",
  noneText:
    "A token lets a script do what you allow, without a browser or your password. Create one and use it to call the API:",
  example: "example",
  everything: "Everything",
} as const;

const levels = { "": "None", read: "Read", write: "Read and write" } as const;

/** Words of the form of a new token. */
export const createTexts = {
  title: "Create an API token",
  lead: "It acts on your behalf and stops working when you are no longer an administrator. Scopes and expiry date can't be changed later.",
  name: tokenFields.name.label,
  nameHint: "What the token is for. The activity log shows this name.",
  noName: "Enter a name for the token",
  access: tokenFields.scopes.label,
  areas: {
    ...{ plugins: "Plugins", settings: "Settings", activity: "Activity log", users: "Users" },
    backups: "Backups",
  },
  levels: {
    plugins: { ...levels, settings: "Change settings only", "write settings": "Change, including settings" },
    settings: { ...levels, security: "Change, including services and security" },
    activity: levels,
    users: levels,
    backups: { "": "None", read: "Download encrypted ones" },
  },
  all: "Everything an administrator can do",
  allText: "Anyone with this token can do everything you can, including managing backups and other tokens.",
  noAccess: "Select at least one permission",
  expires: tokenFields.expiresAt.label,
  ends: {
    30: "In 30 days",
    90: "In 90 days",
    365: "In 1 year",
    custom: "On a specific date",
    never: "Never",
  },
  neverText: "It works until it is revoked.",
  day: "Last day",
  dayHint: "Until the end of the day, UTC",
  noDay: "Choose the last day",
  networks: tokenFields.allowedNetworks.label,
  networksHint: "IP addresses and ranges it can be used from, one per line. Leave empty for anywhere.",
  calls: tokenFields.callsPerMinute.label,
  callsHint: "Leave empty for no separate limit",
  failed: "The token could not be created",
} as const;

/** Words of a token that was just made. */
export const newTokenTexts = {
  title: "Copy the token now",
  lead: "It won't be shown again. Store it like a password: anyone who has it can use it.",
  token: "token",
  use: "Use it",
  command: "command",
  done: "I've copied it",
  leaveTitle: "Leave without the token?",
  leaveText: "It won't be shown again. If you didn't copy it, revoke it.",
  leave: "Leave",
} as const;

/** Words of one token. */
export const tokenTexts = {
  hint: (hint: string) => `Ends in ${hint}`,
  from: (moment: string, ip: string) => `${moment} from ${ip}`,
  change: "Edit",
  save: "Save changes",
  saveFailed: "The token could not be changed",
  revoke: "Revoke",
  revokeTitle: (name: string) => `Revoke ${name}?`,
  revokeText: "It stops working immediately. This can't be undone.",
  revokeConfirm: "Revoke token",
  revokeFailed: "The token could not be revoked",
  remove: "Remove from list",
  removeTitle: (name: string) => `Remove ${name} from the list?`,
  removeText: "The activity log still shows what it did.",
  removeFailed: "The token could not be removed",
} as const;

import { roles } from "#contract/users.ts";
import { counted } from "./format.ts";

/** Words of the admin overview. */
export const overviewTexts = {
  title: "Overview",
  welcome: (name: string) => `Welcome back, ${name}`,
  refresh: "Refresh",
  granted: "Admin Access Granted",
  plugins: "Available plugins",
  lastAccess: "Last access",
  none: "None",
  accessError: "Access Error",
  stale: "The server cannot be reached. What you see may be out of date.",
  toDashboard: "Return to Dashboard",
  tryAgain: "Try again",
  health: "Health",
  healthFailed: "The server status could not be loaded",
  allRight: "Everything is all right",
  allRightText: "Database, services, email and accounts are working normally.",
  attention: "Needs attention",
  database: "Database",
  mail: "Email",
  memory: "Memory",
  uptime: "Uptime",
  users: "Users",
  redis: "Redis",
  storage: "Object storage",
  serviceStates: { unused: "Not configured", connecting: "Connecting", up: "Up", away: "Away" },
  inProcess: "In memory",
  storageHomes: { database: "In the database", r2: "In R2" },
  objects: (amount: number) => counted(amount, "object", "objects"),
  settings: "System Settings",
  settingsText: "The site, accounts, external services, limits, security and email.",
  showSettings: "Open settings",
  kinds: { embedded: "embedded", postgres: "server" },
  onDisk: (size: string) => `${size} on disk`,
  waiting: (amount: number) => counted(amount, "waiting", "waiting"),
  dead: (amount: number) => counted(amount, "failed", "failed"),
  transports: { smtp: "Sent over SMTP", outbox: "Saved to the outbox" },
  cpus: (amount: number) => counted(amount, "processor", "processors"),
  version: (version: string) => `Version ${version}`,
  since: (moment: string) => `since ${moment}`,
  admins: (amount: number) => counted(amount, "administrator", "administrators"),
  pending: (amount: number) => `${counted(amount, "registration", "registrations")} not verified`,
  showUsers: "View users",
  week: "Activities of the last 7 days",
  showActivities: "View activity",
  information: "System Information",
  adminEmail: "Admin email",
  role: "Role",
  pluginStatus: "Plugin system",
  notInstalled: "Not installed",
  installed: "Installed",
  address: "Public address",
  menu: "Admin Menu",
  management: "Plugin Management",
  managementText: "Upload, enable, disable and delete plugins.",
  openCard: (action: string, title: string) => `${action}: ${title}`,
  pluginTitle: "Plugins",
  pluginsMissing: "Plugin System Not Installed",
  pluginsMissingText: "This server has no plugins. Accounts and the admin area work without them.",
} as const;

/** What is said everywhere about plugins while the server runs in safe mode. */
export const safeModeTexts = {
  title: "Started in safe mode",
  text: "All plugins are off until the server restarts without safe mode. You can still enable or disable plugins; changes take effect then.",
} as const;

/** What may need attention, each with its remedy. */
export const attentionTexts = {
  deadMails: (amount: number) => `${counted(amount, "email", "emails")} could not be delivered`,
  deadMailsRemedy: "See the reason in the outbox, check SMTP_URL, then retry from the outbox.",
  deadMailsLink: "View emails",
  redisAway: "Redis is away",
  redisAwayRemedy: "Each process keeps its own cache, rate limits and events until Redis is back.",
  storageAway: "Object storage is away",
  storageAwayRemedy: "New objects are stored in the database until it is back.",
  backupFailed: "The latest backup failed",
  backupFailedRemedy: "Try again on the backups page. See the server log for details.",
  noBackup: "No backups yet",
  noBackupRemedy:
    "The schedule is on but hasn't created a backup yet. Create one now or check when the next one is due.",
  noScheduleRemedy: "No backups are scheduled. Create one now or set up a schedule.",
  backupsLink: "View backups",
  pluginFailed: (title: string) => `The ${title} plugin failed`,
  pluginFailedRemedy: "Check the log on its page. Try again there, or switch to another version.",
  pluginStopped: (title: string) => `The ${title} plugin was stopped`,
  pluginStoppedRemedy: "It stays off until you enable it again. Its page has the log.",
  versionWaits: (title: string, version: string) =>
    `Version ${version} of the ${title} plugin is waiting for review`,
  versionWaitsRemedy: "Review it on the plugin's page, then update or discard it.",
  versionFailed: (title: string, version: string) =>
    `Version ${version} of the ${title} plugin could not start`,
  versionFailedRemedy: "Retry or discard it on the plugin's page, or upload a fixed version.",
  pluginLink: "View plugin",
  missingHome: (path: string) => `The home page ${path} is not in this build`,
  missingHomeRemedy:
    "The landing page is shown instead. Choose another home page, or install the feature again.",
  programsHome: "The home page presents the program",
  programsHomeRemedy: (name: string) =>
    `Visitors of ${name} see its landing page. Choose a home page of your own, or a page of a feature.`,
  homeLink: "Choose a home page",
  proxy: "The proxy settings may be wrong",
  settingsLink: "View settings",
  slowDatabase: "The database is slow",
  slowDatabaseRemedies: {
    postgres: "Check the load on its machine and the network, or move the database closer.",
    embedded: "Check the load on this machine and its disk, or move to a PostgreSQL server.",
  },
  noSmtp: "Emails are not being delivered",
  noSmtpRemedy: "They are saved to the outbox folder. Set SMTP_URL and restart the server to deliver them.",
  mailsWaiting: (amount: number) => `${counted(amount, "email is", "emails are")} waiting to be sent`,
  mailsWaitingRemedy: "The mail server may be unavailable or slow. See the server log for its responses.",
  plainHttp: "Passwords are sent unencrypted",
  plainHttpRemedy: "Set up a reverse proxy with a TLS certificate and set APP_URL to its https URL.",
  loneAdmin: "There is only one administrator",
  loneAdminRemedy: "Add a second admin on the users page, so that one lost password doesn't lock you out.",
  loneAdminLink: "View users",
  unread: (amount: number) => counted(amount, "unread message", "unread messages"),
  unreadRemedy: "Someone wrote through the contact form and may be waiting for a reply.",
  unreadLink: "View messages",
} as const;

/** The roles as users read them. */
export const roleTexts = { admin: "Admin", user: "User" } as const;

/** The roles to choose from. */
export const roleOptions = roles.map((role) => [role, roleTexts[role]] as const);

/** Words of what the admin lists share. */
export const listTexts = {
  search: "Search",
  searchHint: "Name or email",
  range: (from: string, to: string, total: string) => `${from}–${to} of ${total}`,
  previous: "Previous",
  next: "Next",
  pages: "Pages",
  beyond: "There are not that many pages",
  beyondText: "Go back to an earlier page to see them.",
} as const;

/** Words of parts whose code comes later. */
export const partTexts = {
  failed: "This part of the page could not be loaded",
} as const;

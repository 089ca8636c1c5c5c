const count = (amount: number, one: string, many: string) =>
  `${new Intl.NumberFormat("en").format(amount)} ${amount === 1 ? one : many}`;

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
  healthFailed: "The server's state could not be loaded",
  allRight: "Everything is all right",
  allRightText: "Database, services, mail and accounts need nothing from you.",
  attention: "Needs attention",
  database: "Database",
  mail: "Mail",
  memory: "Memory",
  uptime: "Uptime",
  users: "Users",
  redis: "Redis",
  storage: "Object storage",
  serviceStates: { unused: "Not used", connecting: "Connecting", up: "Up", away: "Away" },
  inProcess: "Kept in this process",
  storageHomes: { database: "In the database", r2: "In R2" },
  objects: (amount: number) => count(amount, "object", "objects"),
  settings: "System Settings",
  settingsText: "External services, limits, security and mail.",
  showSettings: "Open settings",
  kinds: { embedded: "embedded", postgres: "server" },
  onDisk: (size: string) => `${size} on disk`,
  waiting: (amount: number) => count(amount, "waiting", "waiting"),
  dead: (amount: number) => count(amount, "given up", "given up"),
  transports: { smtp: "Sent by SMTP", outbox: "Kept in the outbox" },
  cpus: (amount: number) => count(amount, "processor", "processors"),
  version: (version: string) => `Version ${version}`,
  since: (moment: string) => `since ${moment}`,
  admins: (amount: number) => count(amount, "administrator", "administrators"),
  pending: (amount: number) => `${count(amount, "registration", "registrations")} not verified`,
  showUsers: "Show users",
  week: "Activities of the last 7 days",
  showActivities: "Show activities",
  information: "System Information",
  adminEmail: "Admin e-mail",
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
  pluginsMissingText: "This server has no plugins. Accounts and administration work without them.",
} as const;

/** What is said everywhere about plugins while the server runs in safe mode. */
export const safeModeTexts = {
  title: "Started in safe mode",
  text: "All plugins are off until the next start without it. Whether a plugin is enabled can be changed, and counts from then on.",
} as const;

/** What may need attention, each with its remedy. */
export const attentionTexts = {
  deadMails: (amount: number) => `${count(amount, "mail was", "mails were")} given up`,
  deadMailsRemedy: "See why in the outbox, check the address in SMTP_URL, and try them again there.",
  deadMailsLink: "Show mails",
  redisAway: "Redis is away",
  redisAwayRemedy: "Cache, limits and events are kept in each process until it can be used again.",
  storageAway: "The object storage is away",
  storageAwayRemedy: "New objects are kept in the database until it can be used again.",
  backupFailed: "The newest backup failed",
  backupFailedRemedy: "Try again on the backups' page; the server's log says more.",
  noBackup: "No backup was made yet",
  noBackupRemedy: "The schedule is on and has made none here. Make one now, or see when the next one is due.",
  noScheduleRemedy: "None is scheduled either. Make one now, or have them made by themselves.",
  backupsLink: "Show backups",
  pluginFailed: (title: string) => `The plugin ${title} has failed`,
  pluginFailedRemedy: "Its page has its log. Try it again there, or put another version in its place.",
  pluginStopped: (title: string) => `The plugin ${title} was stopped`,
  pluginStoppedRemedy: "It stays off until you enable it again on its page, which has its log.",
  versionWaits: (title: string, version: string) => `Version ${version} of the plugin ${title} waits`,
  versionWaitsRemedy: "Look at it on the plugin's page, and take it into use or discard it.",
  versionFailed: (title: string, version: string) =>
    `Version ${version} of the plugin ${title} could not start`,
  versionFailedRemedy: "Try it again or discard it on the plugin's page, or upload one that was mended.",
  pluginLink: "Show plugin",
  proxy: "The proxy settings seem to be wrong",
  settingsLink: "Show settings",
  slowDatabase: "The database answers slowly",
  slowDatabaseRemedies: {
    postgres: "Check the load of its machine and the network between, or move it closer.",
    embedded: "Check the load of this machine and its disk, or move to a PostgreSQL server.",
  },
  noSmtp: "Mails are not sent to anyone",
  noSmtpRemedy:
    "They are kept as files in the data folder's outbox. Set SMTP_URL and restart to have them sent.",
  mailsWaiting: (amount: number) => `${count(amount, "mail is", "mails are")} waiting to be sent`,
  mailsWaitingRemedy: "The mail server may be away or slow; the server's log says what it answers.",
  plainHttp: "Passwords travel unencrypted",
  plainHttpRemedy: "Put a proxy with a certificate in front and set APP_URL to its https address.",
  loneAdmin: "There is only one administrator",
  loneAdminRemedy:
    "Add a second on the users' page, as an admin, so that one lost password locks nobody out.",
  loneAdminLink: "Show users",
  unread: (amount: number) => count(amount, "unread message", "unread messages"),
  unreadRemedy: "Somebody wrote through the contact form and may be waiting for a reply.",
  unreadLink: "Show messages",
} as const;

/** The roles as people read them. */
export const roleTexts = { admin: "Admin", user: "User" } as const;

/** Words of texts that can be copied. */
export const copyTexts = {
  copy: (what: string) => `Copy ${what}`,
  copied: "Copied",
  copyFailed: "This browser does not let pages copy; mark the text instead",
} as const;

/** Words of what the admin lists share. */
export const listTexts = {
  search: "Search",
  searchHint: "Name or e-mail",
  range: (from: string, to: string, total: string) => `${from}–${to} of ${total}`,
  previous: "Previous",
  next: "Next",
  pages: "Pages",
} as const;

/** Words of parts whose code comes later. */
export const partTexts = {
  failed: "This part of the page could not be loaded",
  tryAgain: "Try again",
} as const;

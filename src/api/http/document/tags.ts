/** A group of calls. Source: OpenAPI 3.1 §4.8.22. */
export type DocumentTag = { name: string; description: string };

/** The groups of the application's own calls, in the order of the page. */
export const documentTags: readonly DocumentTag[] = [
  { name: "Accounts", description: "Signing up, in and out, mailed links and sign-in by other providers" },
  { name: "Own account", description: "What people see and change about themselves" },
  { name: "Contact", description: "The contact form, and the messages that came by it" },
  { name: "Admin", description: "The overview of the admin area" },
  { name: "Users", description: "Everybody's accounts, and registrations that wait" },
  { name: "Plugins", description: "Packages, permissions, settings and keys of plugins, and their files" },
  { name: "Activity", description: "The log of what happened and who did it" },
  { name: "Settings", description: "Settings of the server, connections to others, and their tests" },
  { name: "Mail", description: "Mails that were sent, wait, or could not be delivered" },
  { name: "Backups", description: "Backups on demand and on a schedule" },
  { name: "API tokens", description: "Keys for programs: what each may do, from where and until when" },
  {
    name: "System",
    description: "Health, readiness, figures, assistants' way in, and what the operator of the machine does",
  },
];

/** The groups of calls that plugins add: those of `paths` that are not the application's. */
export const pluginTags = (paths: Record<string, Record<string, object>>): DocumentTag[] => {
  const names = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap((operation) => asStrings(Reflect.get(operation, "tags"))),
  );
  return [...new Set(names)]
    .filter((name) => documentTags.every((tag) => tag.name !== name))
    .map((name) => ({ name, description: `What the plugin ${name} adds` }));
};

const asStrings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];

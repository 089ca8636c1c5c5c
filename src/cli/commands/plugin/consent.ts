import { CliFailure } from "#cli/failure.ts";
import type { Invocation } from "#cli/invocation.ts";
import { printable } from "#cli/terminal/output.ts";
import {
  isHeavy,
  originText,
  permissionTexts,
  reasonText,
  seriousText,
  weightiestFirst,
} from "#contract/permission-texts.ts";
import type { Permission, PluginSignature } from "#contract/plugins.ts";

/** What a package wants, and where it comes from. */
type Wanted = { permissions: readonly Permission[]; signature: PluginSignature };

/** Consent as it is sent: to the package that was shown, and no other. */
export type SentConsent = { consent?: true; sha256?: string };

/**
 * Sends a request that may need consent to a plugin's permissions: without it first and, if the API asks for it, again after
 * consent. Throws `CANCELLED`, `USAGE` without a terminal, and what the request throws.
 */
export const withConsent = async <T>(
  invocation: Invocation,
  name: string,
  call: (consent: SentConsent) => Promise<T>,
): Promise<T> => {
  try {
    return await call({});
  } catch (error) {
    const wanted = error instanceof CliFailure && error.kind === "CONSENT_REQUIRED" ? error.data : null;
    if (!isWanted(wanted)) throw error;
    await askForConsent(invocation, wanted, { name, question: `Grant these permissions to ${name}?` });
    return call({ consent: true, sha256: wanted.sha256 });
  }
};

/** Shows the permissions of a package in the words of the admin area, and asks. Throws `CANCELLED`, and `USAGE` without a terminal. */
export const askForConsent = async (
  invocation: Invocation,
  wanted: Wanted,
  { name, question }: { name: string; question: string },
): Promise<void> => {
  const tell = () => {
    for (const line of linesOf(name, wanted)) invocation.output.note(printable(line));
  };
  // A program finds it in the failure, and expects nothing else beside that.
  const isForPersonOnly = invocation.output.isJson;
  if (!isForPersonOnly) tell();
  await invocation.confirm(async () => {
    if (isForPersonOnly) tell();
    return question;
  });
};

const linesOf = (name: string, { permissions, signature }: Wanted): string[] => [
  originText(signature),
  ...(permissions.length === 0 ? [`${name} needs no permissions.`] : [`${name} needs these permissions:`]),
  ...weightiestFirst(permissions).map(lineOf),
];

const lineOf = (permission: Permission): string => {
  const { name, hosts = [], plugins = [], reason } = permission;
  const { title, text } = permissionTexts[name];
  const reach = [...hosts, ...plugins].join(", ");
  return [
    `  ${title}${isHeavy(permission) ? ` (${seriousText.toLowerCase()})` : ""}: ${text}`,
    ...(reach === "" ? [] : [`${reach}.`]),
    ...(reason === undefined ? [] : [reasonText(reason)]),
  ].join(" ");
};

const isWanted = (value: unknown): value is Wanted & { sha256: string } =>
  typeof Reflect.get(Object(value), "sha256") === "string" &&
  Array.isArray(Reflect.get(Object(value), "permissions")) &&
  typeof Reflect.get(Object(value), "signature") === "object";

/** A permission in a line: its name, and how far it goes. */
export const permissionText = ({ name, hosts, plugins }: Permission): string => {
  const reach = hosts ?? plugins ?? [];
  return reach.length === 0 ? name : `${name} (${reach.join(", ")})`;
};

import type { Permission, PluginSignature } from "#contract/plugins.ts";
import { CliFailure } from "./failure.ts";
import type { Invocation } from "./invocation.ts";
import { printable } from "./output.ts";
import { permissionText } from "./permission-text.ts";

/** What the API says when it wants consent. */
type Wanted = { sha256: string; permissions: Permission[]; signature: PluginSignature };

/** Consent as it is sent: to the package that was shown, and no other. */
export type SentConsent = { consent?: true; sha256?: string };

/**
 * Makes a call that may need consent to what a plugin wants: without it first, and when the API asks for it, again once
 * somebody agreed. Throws `CANCELLED`, `USAGE` when there is nobody to ask, and what the call throws.
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
    const tell = () => {
      for (const line of linesOf(name, wanted)) invocation.output.note(printable(line));
    };
    // A program finds it in the failure, and expects nothing else beside that.
    const isForPersonOnly = invocation.output.isJson;
    if (!isForPersonOnly) tell();
    await invocation.confirm(async () => {
      if (isForPersonOnly) tell();
      return `Grant this to ${name}?`;
    });
    return call({ consent: true, sha256: wanted.sha256 });
  }
};

const linesOf = (name: string, { permissions, signature }: Wanted): string[] => [
  signature.state === "signed"
    ? `${name} is signed by ${signature.publisher ?? signature.keyId}.`
    : `Nobody you trust signed ${name} (${signature.state}).`,
  ...(permissions.length === 0 ? ["It asks for nothing."] : [`${name} asks for:`]),
  ...permissions.map((permission) =>
    [`  ${permissionText(permission)}`, permission.reason].filter(Boolean).join(": "),
  ),
];

const isWanted = (value: unknown): value is Wanted =>
  typeof Reflect.get(Object(value), "sha256") === "string" &&
  Array.isArray(Reflect.get(Object(value), "permissions")) &&
  typeof Reflect.get(Object(value), "signature") === "object";

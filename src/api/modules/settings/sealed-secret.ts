import type { SecretBox } from "#api/core/context.ts";
import type { SecretName } from "#contract/credential-settings.ts";
import { serverOf } from "#contract/endpoints.ts";

const purpose = "settings";
const placeOf = (name: string): string => `setting_secrets:sealed:${name}`;

/** How the secrets of settings are sealed, for whoever seals them anew. */
export const secretSealing = { purpose, placeOf };

/** A secret that opened, or why it did not. */
export type OpenedSecret = { value: string; fault: null } | { value: null; fault: string };

/**
 * A secret as it is kept. The server that it was entered for is sealed along with it, so that someone who can write to
 * the table of endpoints still cannot have it sent to another.
 */
export const sealSecret = (
  box: SecretBox,
  { name, value, endpoint }: { name: SecretName; value: string; endpoint: string },
): Uint8Array => {
  const plain = JSON.stringify([serverOf(endpoint), value]);
  return box.seal(purpose, placeOf(name), new TextEncoder().encode(plain));
};

/** The inverse of {@link sealSecret}, for the same name and server only. Never throws. */
export const openSecret = (
  box: SecretBox,
  { name, sealed, endpoint }: { name: SecretName; sealed: Uint8Array; endpoint: string },
): OpenedSecret => {
  try {
    const plain: unknown = JSON.parse(new TextDecoder().decode(box.open(purpose, placeOf(name), sealed)));
    const [server, value]: unknown[] = Array.isArray(plain) ? plain : [];
    if (typeof value !== "string") return { value: null, fault: "not_a_secret" };
    return server === serverOf(endpoint)
      ? { value, fault: null }
      : { value: null, fault: "for_another_server" };
  } catch (error) {
    // The caller goes on without this secret, and tells of it.
    const cause: unknown = Reflect.get(Object(error), "cause");
    const fault: unknown = Reflect.get(Object(cause), "fault");
    return { value: null, fault: typeof fault === "string" ? fault : "unreadable" };
  }
};

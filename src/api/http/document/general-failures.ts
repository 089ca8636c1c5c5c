import type { ErrorKind } from "#contract/errors.ts";
import type { Proof } from "#contract/proof.ts";
import type { DeclaredRoute } from "../route-table.ts";
import { documentPath, isProbePath, isUnderAnyName } from "../target.ts";

/**
 * What a call of a route can come to whatever the route is for, because of the way in alone: what the pipeline decides
 * before the handler runs, and what may befall any. Routes name only what they refuse themselves.
 */
export const generalFailures = ({ method, path, hooks }: DeclaredRoute): ErrorKind[] => {
  const has = (name: string): boolean => Reflect.get(Object(hooks), name) !== undefined;
  const isCounted = !isProbePath(path);
  const isOpen = !isCounted || path === documentPath || has("isShared");
  const isPosted = method !== "GET";
  return [
    ...kinds("BAD_REQUEST", "URI_TOO_LONG", "VALIDATION_FAILED", "INTERNAL"),
    // A part of a path that has more than one spelling leads nowhere.
    ...(/[:*]/.test(path) ? kinds("NOT_FOUND") : []),
    // Alive is the process from its first connection on.
    ...(path === "/api/health" ? [] : kinds("STARTING")),
    ...(isUnderAnyName(path) ? [] : kinds("MISDIRECTED_HOST")),
    ...(isCounted ? kinds("REQUEST_BLOCKED", "RATE_LIMITED") : []),
    // A wrong token is refused where none is needed, too.
    ...(isOpen ? [] : kinds("NOT_SIGNED_IN", "DB_UNAVAILABLE")),
    ...(has("proof") && Reflect.get(Object(hooks), "proof") !== "none"
      ? kinds("REAUTHENTICATION_REQUIRED")
      : []),
    ...(isPosted || has("stateChange") ? kinds("CROSS_ORIGIN", "STORAGE_FULL") : []),
    ...(isPosted ? kinds("PAYLOAD_TOO_LARGE") : []),
    ...(["body", "upload", "messages"].some(has) ? kinds("REQUEST_TIMEOUT", "UNSUPPORTED_MEDIA_TYPE") : []),
  ];
};

const kinds = (...all: ErrorKind[]): ErrorKind[] => all;

/** What a session must have proven to make a request, as the document says it; nothing where it needs no proof. */
export const proofFacts = (proof: Proof = "none"): { "x-proof"?: Proof } =>
  proof === "none" ? {} : { "x-proof": proof };

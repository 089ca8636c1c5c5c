import { createHmac, hkdfSync } from "node:crypto";
import { OutboundError } from "../outbound/check-address.ts";

/**
 * Why Redis cannot be used, in words for the operator. What the error itself says is left out: it may quote what was
 * sent, passwords among it.
 */
export const explainRedisFailure = (error: unknown): string => {
  if (error instanceof OutboundError) return error.message;
  const { code, message } = wordsOf(error);
  return (
    causeOf(error)?.[1] ?? `it failed (${code || /^[A-Z]{2,20}\b/.exec(message)?.[0] || "unknown reason"})`
  );
};

/** What may be done about it; `undefined` when nothing is known. */
export const remedyForRedis = (error: unknown): string | undefined =>
  error instanceof OutboundError ? undefined : causeOf(error)?.[2];

const wordsOf = (error: unknown) => ({
  // The driver trips over answers of a kind that it did not expect.
  message: error instanceof TypeError ? "unreadable" : readMessage(error),
  code: String(Reflect.get(Object(error), "code") ?? ""),
});

const readMessage = (error: unknown): string => (error instanceof Error ? error.message : "");

const causeOf = (error: unknown): Cause | undefined => {
  const { code, message } = wordsOf(error);
  return causes.find(([pattern]) => pattern.test(code) || pattern.test(message));
};

type Cause = readonly [RegExp, string, string?];

const onReplica = "Enter the address of the primary";
const onNetwork = "Check host and port, and that this machine may connect to it";
const onName = "Check the host name, and that this machine can resolve it";
const onTrust = "Use a certificate from a known authority, or start Atrium with NODE_EXTRA_CA_CERTS";
const onNoRedis = "Check host and port: another service listens there";

/** Codes of the system and of TLS, and how Redis begins its refusals. */
const causes: readonly Cause[] = [
  [
    /^WRONGPASS|invalid (?:username-password pair|password)/i,
    "wrong user name or password",
    "Enter the password again; a user name belongs in the URL",
  ],
  [/^NOAUTH/, "it requires a password", "Enter the password"],
  [
    /^NOPERM|^ERR (?:ACL failure in script|The user executing the script)/,
    "the user may not run the required commands",
    "Allow them with ACL SETUSER",
  ],
  [/^READONLY/, "it is a read-only replica", onReplica],
  [/^MASTERDOWN/, "it is a replica that has lost its primary", onReplica],
  [/^OOM/, "its memory is full", "Raise maxmemory, or free memory on the server"],
  [
    /^MISCONF/,
    "it refuses writes because it can't save to disk",
    "Check the server's log; its disk may be full",
  ],
  [/^LOADING|still loading/i, "it is still loading its data", "Try again in a moment"],
  [
    /^(?:MOVED|CLUSTERDOWN|CROSSSLOT)/,
    "it is part of a cluster, which is not supported",
    "Use a server that is not part of a cluster",
  ],
  [
    /DB index is out of range/,
    "it has no database of that number",
    "Use database 0, or raise the number of databases on the server",
  ],
  [/^ECONNREFUSED/, "connection refused", onNetwork],
  [/^ENOTFOUND/, "unknown host name", onName],
  [/^(?:EAI_AGAIN|ESERVFAIL|ETIMEOUT|DNS_)/, "the host name could not be resolved", onName],
  [/^EHOSTUNREACH/, "no route to the host", onNetwork],
  [/^ENETUNREACH/, "no route to the network", onNetwork],
  [/^ETIMEDOUT|^no answer within/, "no response in time", onNetwork],
  [/SELF_SIGNED/, "its certificate is self-signed", onTrust],
  [/^UNABLE_TO_(?:VERIFY|GET)/, "its certificate is not trusted", onTrust],
  [/^CERT_NOT_YET_VALID/, "its certificate is not valid yet", "Check the clocks of both machines"],
  [/^CERT_REVOKED/, "its certificate was revoked", "Renew the server's certificate"],
  [/^CERT_HAS_EXPIRED/, "its certificate has expired", "Renew the server's certificate"],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID/,
    "its certificate is for another host",
    "Use the host name in the certificate",
  ],
  [/SSL|TLS/, "it does not speak TLS as expected", "Use redis:// for a server without TLS"],
  [/^ECONNRESET|^EPIPE|[Cc]onnection (?:is )?closed|isn't writeable/, "it closed the connection", onNetwork],
  [
    /^Unknown RESP type|^Protocol error|^Command queue state|^unreadable|^too much$/,
    "the server is not Redis",
    onNoRedis,
  ],
];

/**
 * What `command` resolves to, or `null` when the server refuses it: for commands that others can do without, so that a
 * refusal does not end the connection of all.
 */
export const unlessRefused = async <T>(command: Promise<T>): Promise<T | null> => {
  try {
    return await command;
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
};

/** Whether the server answered, though with a refusal. */
export const isRefusal = (error: unknown): boolean => error instanceof Error && error.name === "ReplyError";

/**
 * Makes names of keys under which no one finds out whom they are about, nor which name someone's key has: they hold
 * addresses of people, of which there are few enough to try them all. `secret` is known to all processes of the installation,
 * and to no one else; each `purpose` has names of its own.
 */
export const hideKeys = (secret: Uint8Array, purpose: string): ((key: string) => string) => {
  // Derived for the first one: many installations have no Redis.
  let hidingKey: Uint8Array | null = null;
  return (key) => {
    hidingKey ??= new Uint8Array(hkdfSync("sha256", secret, "", purpose, 32));
    return createHmac("sha256", hidingKey).update(key).digest("hex");
  };
};

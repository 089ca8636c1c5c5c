/**
 * Why Redis cannot be used, in words for the operator. What the error itself says is left out: it may quote what was
 * sent, passwords among it.
 */
export const explainRedisFailure = (error: unknown): string => {
  const message = error instanceof Error ? error.message : "";
  const code = String(Reflect.get(Object(error), "code") ?? "");
  const found = causes.find(([pattern]) => pattern.test(code) || pattern.test(message));
  return found?.[1] ?? `it failed (${code || /^[A-Z]{2,20}\b/.exec(message)?.[0] || "unknown reason"})`;
};

/** Codes of the system and of TLS, and how Redis begins its refusals. */
const causes: readonly [RegExp, string][] = [
  [/^WRONGPASS|invalid (?:username-password pair|password)/i, "wrong user name or password"],
  [/^NOAUTH/, "it asks for a password"],
  [/^NOPERM/, "the user may not run the commands that are needed"],
  [/^READONLY/, "it is a read-only replica"],
  [/^MASTERDOWN/, "it is a replica that has lost its primary"],
  [/^OOM/, "its memory is full"],
  [/^MISCONF/, "it refuses writes, because it cannot save to disk"],
  [/^LOADING|still loading/i, "it is still loading its data"],
  [/^(?:MOVED|CLUSTERDOWN|CROSSSLOT)/, "it is part of a cluster, which is not supported"],
  [/DB index is out of range/, "it has no database of that number"],
  [/^ECONNREFUSED/, "connection refused"],
  [/^ENOTFOUND/, "unknown host name"],
  [/^EAI_AGAIN/, "the host name could not be looked up"],
  [/^EHOSTUNREACH/, "no route to the host"],
  [/^ENETUNREACH/, "no route to the network"],
  [/^ETIMEDOUT|^no answer within/, "no answer in time"],
  [/SELF_SIGNED/, "its certificate is self-signed"],
  [/^UNABLE_TO_(?:VERIFY|GET)/, "its certificate is not trusted"],
  [/^CERT_HAS_EXPIRED/, "its certificate has expired"],
  [/^ERR_TLS_CERT_ALTNAME_INVALID/, "its certificate is for another host"],
  [/SSL|TLS/, "it does not speak TLS as expected"],
  [/^ECONNRESET|^EPIPE|[Cc]onnection (?:is )?closed|isn't writeable/, "it closed the connection"],
  [/^Unknown RESP type|^Protocol error/, "what answers is no Redis"],
];

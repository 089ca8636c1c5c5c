/** Headers of every answer, whatever it is. HSTS joins them when the public origin is https. */
export const commonHeaders = (isHttps: boolean): Record<string, string> => ({
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy":
    "camera=(), geolocation=(), microphone=(), payment=(), publickey-credentials-create=(self), publickey-credentials-get=(self), usb=()",
  ...(isHttps ? { "strict-transport-security": "max-age=31536000; includeSubDomains" } : {}),
});

/** The policy of whatever is no page: should a browser ever be led to it as to one, it may do nothing there. */
export const inertPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Headers of answers that hold data: never stored, and inert should a browser be made to show them. */
export const apiHeaders = (isHttps: boolean): Record<string, string> => ({
  ...commonHeaders(isHttps),
  "cache-control": "no-store",
  "content-security-policy": inertPolicy,
});

const hardening = [
  "x-frame-options",
  "cross-origin-opener-policy",
  "cross-origin-resource-policy",
  "permissions-policy",
  "strict-transport-security",
] as const;

/** The policy of what plugins answer: whatever it is, a browser shows it as a stranger's, without scripts. */
export const sandboxPolicy = `sandbox; ${inertPolicy}`;

/**
 * Removes what admins can switch off. Four things stay, because nothing can depend on the opposite: content types are not
 * sniffed, no address is sent to other sites, no other site frames a page, and what plugins made stays in its sandbox. A
 * page keeps `frame-src` for the last of them: without it a plugin's frame could navigate itself to another site.
 */
export const removeHardening = (headers: Headers): void => {
  for (const name of hardening) headers.delete(name);
  const policy = headers.get("content-security-policy");
  if (policy === null || policy.startsWith("sandbox")) return;
  const kept = policy.split("; ").filter((rule) => /^frame-(?:src|ancestors) /.test(rule));
  headers.set("content-security-policy", kept.join("; "));
};

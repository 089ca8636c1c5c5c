/** Headers of every answer, whatever it is. HSTS joins them when the public origin is https. */
export const commonHeaders = (isHttps: boolean): Record<string, string> => ({
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
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
  "content-security-policy",
  "x-frame-options",
  "cross-origin-opener-policy",
  "cross-origin-resource-policy",
  "permissions-policy",
  "strict-transport-security",
] as const;

/** The policy of what plugins answer: whatever it is, a browser shows it as a stranger's, without scripts. */
export const sandboxPolicy = `sandbox; ${inertPolicy}`;

/**
 * Takes away what admins can switch off. That bytes are what they are called, that addresses with tokens in them are told
 * to nobody, and the sandbox around what plugins made stay: nothing can depend on the opposite.
 */
export const removeHardening = (headers: Headers): void => {
  const isSandboxed = headers.get("content-security-policy")?.startsWith("sandbox") === true;
  for (const name of hardening) if (!isSandboxed || name !== "content-security-policy") headers.delete(name);
};

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

/** Headers of answers that hold data: never stored, and inert should a browser be made to show them. */
export const apiHeaders = (isHttps: boolean): Record<string, string> => ({
  ...commonHeaders(isHttps),
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
});

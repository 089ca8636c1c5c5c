/** Statuses with which the server says that it has done nothing and that a later try may work. */
const passing = new Set([429, 503]);

const repeatable = new Set(["GET", "HEAD", "PUT", "DELETE"]);

/** Whether a call may be made again: by its method, or because the server knows the key of one that it has taken. */
export const isRepeatable = (method: string, headers: Headers): boolean =>
  repeatable.has(method) || headers.has("idempotency-key");

/** Milliseconds after which a refused call may be tried again; `null` for an answer that tells nothing of the kind. */
export const waitOf = (response: Response): number | null => {
  const seconds = retryAfterOf(response);
  return passing.has(response.status) && seconds !== null ? seconds * 1000 : null;
};

/** The header's seconds, or those until its date. Source: RFC 9110 §10.2.3. */
export const retryAfterOf = ({ headers }: Response): number | null => {
  const told = headers.get("retry-after")?.trim();
  if (!told) return null;
  if (/^\d{1,9}$/.test(told)) return Number(told);
  const at = Date.parse(told);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000));
};

/** Resolves after some time. Throws the signal's reason as soon as it is aborted. */
export const rest = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, ms);
    if (signal?.aborted) return end();
    signal?.addEventListener("abort", end, { once: true });
  });

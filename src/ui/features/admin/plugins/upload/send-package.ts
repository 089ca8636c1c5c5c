import { pageAuthTexts } from "#contract/auth-texts.ts";
import type { PackagePreview, Plugin } from "#contract/plugins.ts";
import { ApiError, api } from "#ui/lib/api.ts";
import { errorFromAnswer } from "#ui/lib/api-error.ts";
import { reportAnswer, reportNoAnswer } from "#ui/lib/connection.ts";
import { withProof } from "#ui/lib/proof.ts";

/** How the sending is followed and given up. `onProgress` is told the part that has been sent, 0 to 1. */
export type SendOptions = { onProgress: (sent: number) => void; signal: AbortSignal };

/** Has the server look into a package; it stores nothing. */
export const inspectPackage = async (file: File, options: SendOptions): Promise<PackagePreview> => {
  const { data } = await send<{ data: PackagePreview }>("/api/plugins/inspect", file, options);
  return data;
};

/** Installs a package, disabled, or as another version of an installed plugin. */
export const uploadPackage = (
  file: File,
  isDowngrade: boolean,
  options: SendOptions,
): Promise<{ message: string; data: Plugin }> =>
  send(`/api/plugins/upload${isDowngrade ? "?allowDowngrade=true" : ""}`, file, options);

// 20 MB over a slow line, and what the server does with them.
const timeoutMs = 300_000;

const send = <T>(path: string, file: File, options: SendOptions): Promise<T> =>
  withProof(() => sendOnce<T>(path, file, options));

/** Not by `fetch`, which does not tell how much of a body has been sent. */
const sendOnce = async <T>(path: string, file: File, { onProgress, signal }: SendOptions): Promise<T> => {
  const request = new XMLHttpRequest();
  request.open("POST", path);
  request.timeout = timeoutMs;
  request.setRequestHeader("accept", "application/json");
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
  request.upload.onload = () => onProgress(1);
  const stop = () => request.abort();
  signal.addEventListener("abort", stop);
  const body = new FormData();
  body.set("plugin", file);
  await ended(request, body);
  signal.removeEventListener("abort", stop);
  signal.throwIfAborted();
  const { status } = request;
  if (status === 0) {
    reportNoAnswer();
    throw new ApiError(pageAuthTexts.networkFailed, { status: 0, code: "NETWORK" });
  }
  reportAnswer();
  const answer = parse(request.responseText);
  if (status >= 200 && status < 300) return asAnswer<T>(answer);
  // Only calls of the API's own client end the session in the browser: one more makes it notice.
  if (status === 401) await api.get("/api/admin");
  throw errorFromAnswer({ status, headers: headersOf(request) }, answer, pageAuthTexts.networkFailed);
};

const ended = (request: XMLHttpRequest, body: FormData): Promise<void> =>
  new Promise((resolve) => {
    request.onloadend = () => resolve();
    request.send(body);
  });

const headersOf = (request: XMLHttpRequest): Headers => {
  const headers = new Headers();
  for (const name of ["ratelimit", "retry-after"]) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  return headers;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // An empty or foreign body: the status alone has to tell.
    return undefined;
  }
};

/** The caller names the shape; the server checks every answer against its published schema before sending it. */
const asAnswer = <T>(body: unknown): T => body as T;

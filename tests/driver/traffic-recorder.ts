import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import type { BrowserContext, Request as PageRequest } from "playwright-core";

/** A request as it was sent to the server under test. */
export type RecordedRequest = {
  /** The test file that had it sent, below the project. */
  file: string;
  method: string;
  /** Path and query, as in the request line. */
  target: string;
  /** With names in lower case. */
  headers: [name: string, value: string][];
  /** Base64; `null` without one, and for those above 64 KB, which the firewall does not look through. */
  body: string | null;
};

// Names the file that requests are added to; without it nothing is recorded.
const recording = process.env.TEST_RECORD_TRAFFIC;
const largestBytes = 65_536;
const projectRoot = `${import.meta.dir}/../..`;

/** Records what the pages of a browser's context send, when recording was asked for. */
export const recordPages = (context: BrowserContext): void => {
  if (recording === undefined) return;
  context.on("request", (request) => {
    if (isOwn(request.url())) void recordPage(request);
  });
};

/** Records a call that a test makes without a browser, when recording was asked for. */
export const recordCall = async (request: Request): Promise<void> => {
  if (recording === undefined) return;
  const { method, url, headers } = request;
  const body = request.body === null ? null : Buffer.from(await request.clone().arrayBuffer());
  write(recording, { method, url, headers: [...headers], body });
};

const recordPage = async (request: PageRequest): Promise<void> => {
  const method = request.method();
  const url = request.url();
  const body = request.postDataBuffer();
  // A page that is closed at once no longer tells what the network added, cookies above all.
  const headers = await request.allHeaders().catch(() => request.headers());
  if (recording !== undefined) write(recording, { method, url, headers: Object.entries(headers), body });
};

/** Pages of other sites are played by other names and ports of this machine: those requests count too. */
const isOwn = (url: string): boolean =>
  url.startsWith("http://127.0.0.1") || url.startsWith("http://localhost");

type Sent = { method: string; url: string; headers: [string, string][]; body: Buffer | null };

const write = (path: string, { method, url, headers, body }: Sent): void => {
  const { pathname, search } = new URL(url);
  const line: RecordedRequest = {
    file: relative(projectRoot, Bun.main),
    method,
    target: `${pathname}${search}`,
    // Chromium's own names for the parts of the request line are no headers.
    headers: headers.filter(([name]) => !name.startsWith(":")),
    body: body === null || body.byteLength > largestBytes ? null : body.toString("base64"),
  };
  appendFileSync(path, `${JSON.stringify(line)}\n`);
};

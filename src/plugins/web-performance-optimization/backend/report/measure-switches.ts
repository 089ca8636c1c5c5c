import { trialHeader, trialValue } from "../answers/trial.ts";
import { type Measured, type Report, type SwitchName, type SwitchReport, switchNames } from "../wire.ts";

/** How often pages are asked for with a switch off, and as often with it on; calls a third as often. */
const repeats = 15;
const callRepeats = 5;
// What others of this address need meanwhile.
const leastCallsLeft = 20;

type Work = {
  measure: MeasureAnswer;
  now: () => number;
  /** Hears how many answers were measured. */
  progress(done: number): void;
};

/** How many answers a measurement takes. */
export const totalAnswers = (): number =>
  Object.values(measuredAddresses)
    .flat()
    .reduce((sum, address) => sum + 2 * repeatsOf(address), 0);

/**
 * Measures what each switch does to some addresses: off and on by turns, so that whatever else the machine does meets both
 * alike. Where calls reach the limit on requests, those that are left are left out, and the report says so.
 */
export const measureSwitches = async (work: Work): Promise<Report> => {
  const started = work.now();
  const notes = new Set<string>();
  const switches: SwitchReport[] = [];
  let done = 0;
  const progress = () => {
    done += 1;
    work.progress(done);
  };
  for (const name of switchNames) {
    const rows: Measured[] = [];
    for (const address of name === "prefetch" ? [] : measuredAddresses[name]) {
      try {
        rows.push(await measureAddress(name, address, { ...work, progress }));
      } catch (error) {
        if (!(error instanceof LimitReached)) throw error;
        notes.add(limitNote);
      }
    }
    switches.push({ name, rows, note: noteOn(name, rows) });
  }
  const seconds = Math.round((work.now() - started) / 100) / 10;
  return { at: new Date(started).toISOString(), repeats, seconds, switches, notes: [...notes] };
};

const limitNote =
  "Some endpoints were skipped: the server's requests to itself count toward the rate limit, which is nearly reached.";

const repeatsOf = (address: Address): number => (isCall(address) ? callRepeats : repeats);

const measureAddress = async (
  name: SwitchName,
  address: Address,
  { measure, progress }: { measure: MeasureAnswer; progress: () => void },
): Promise<Measured> => {
  const off: Sample[] = [];
  const on: Sample[] = [];
  // The first answer of each side is made while code is compiled and caches are filled.
  const first = await measure(address, null);
  checkLimit(first);
  await measure(address, name);
  const again = name === "cacheLifetimes" ? revisit(first) : null;
  for (let turn = 0; turn < repeatsOf(address); turn += 1) {
    const without = await measure(address, null, again ?? {});
    checkLimit(without);
    off.push(without);
    progress();
    on.push(again === null ? await measure(address, name) : { ...without, bytes: 0, ms: 0 });
    progress();
  }
  return { path: address.path, off: mediansOf(off), on: mediansOf(on) };
};

/** What a browser asks when it comes again: whether what it has is still right. Within a lifetime it does not ask. */
const revisit = ({ headers }: Sample): Record<string, string> => ({
  "if-none-match": headers.get("etag") ?? "*",
});

const checkLimit = ({ headers }: Sample): void => {
  const left = /;r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1];
  if (left !== undefined && Number(left) < leastCallsLeft) throw new LimitReached();
};

const mediansOf = (samples: readonly Sample[]): { bytes: number; ms: number } => ({
  bytes: Math.round(median(samples.map(({ bytes }) => bytes))),
  ms: Math.round(median(samples.map(({ ms }) => ms)) * 100) / 100,
});

/** An address of the measurement, and how a visitor's browser asks for it. */
type Address = { path: string; headers: Record<string, string> };

const asBrowser = { "accept-encoding": "gzip, deflate, br, zstd" };
const page = (path: string): Address => ({ path, headers: { ...asBrowser, accept: "text/html" } });
const call = (path: string): Address => ({ path, headers: { ...asBrowser, accept: "application/json" } });

const pages = ["/", "/about", "/contact", "/login"].map(page);
const description = call("/swagger/json");
const plugins = call("/api/plugins");

/** What is measured of a switch that changes answers; prefetching changes what browsers do, not what they get. */
const measuredAddresses: Record<Exclude<SwitchName, "prefetch">, Address[]> = {
  compression: [page("/"), description, plugins],
  cacheLifetimes: pages,
  preloadHeaders: pages,
  responseCache: [...pages, description, plugins],
};

/** Calls count against the limit on requests: so they are repeated less often than pages. */
const isCall = ({ path }: Address): boolean => path.startsWith("/api/") || path.startsWith("/swagger");

/** The middle of some numbers, or the mean of the two in the middle; 0 of none. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1] ?? 0, sorted[Math.floor(middle)] ?? 0];
  return (low + high) / 2;
};

/** What the figures of a switch do not show, in a sentence or two. */
const noteOn = (name: SwitchName, rows: readonly Measured[]): string => {
  const pages = rows.filter(({ path }) => !path.startsWith("/api/") && !path.startsWith("/swagger"));
  const fastest = (side: readonly Measured[]) =>
    side.length > 0 && side.every(({ off, on }) => Math.abs(off.ms - on.ms) < Math.max(0.3, off.ms * 0.15));
  switch (name) {
    case "compression":
      return "Pages and their scripts are compressed when Atrium is built, so nothing changes for them. API responses become smaller but take time to compress; those below 1 KB are left unchanged. Bytes include headers and body.";
    case "cacheLifetimes":
      return "With the switch on, a visitor who comes back within the lifetime sends no request at all. A first visit is unchanged.";
    case "preloadHeaders":
      return "Only the response headers become longer. Scripts start to load before the document is read instead of when the browser is idle. Visitors' figures before and after show whether that helps.";
    case "prefetch":
      return "The server's responses don't change: browsers prefetch the code of the likely next page. Visitors' figures before and after show the effect.";
    case "responseCache":
      return fastest(pages)
        ? "Pages are already in the server's memory, so there is almost no difference for them. API responses that are computed for each request benefit. Headers grow by `x-atrium-cache` and `age`."
        : "Responses come from memory instead of from the application. Headers grow by `x-atrium-cache` and `age`.";
  }
};

/** One response: the bytes transferred and the time it took. */
type Sample = { bytes: number; ms: number; headers: Headers; status: number };

/** Requests a path as a browser does. Throws an `Error` whose message is for admins. */
export type MeasureAnswer = (
  address: Address,
  only: SwitchName | null,
  more?: Record<string, string>,
) => Promise<Sample>;

/** Sends a request. */
export type Fetch = (url: string, init: BunFetchRequestInit) => Promise<Response>;

type MeasureOptions = { origin: string; secret: string; fetch: Fetch; signal: AbortSignal };

/** Makes requests to the application's own origin, each with one switch on for it alone, or none. */
export const createMeasureAnswer = ({
  origin,
  secret,
  fetch: send,
  signal,
}: MeasureOptions): MeasureAnswer => {
  const ask = async ({ path, headers }: Address, only: SwitchName | null, more: Record<string, string>) => {
    const started = performance.now();
    // Undecoded bytes are the ones transferred.
    const answer = await send(`${origin}${path}`, {
      headers: { ...headers, ...more, [trialHeader]: trialValue(secret, only) },
      redirect: "manual",
      decompress: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
    });
    const body = await answer.arrayBuffer();
    const ms = performance.now() - started;
    return { bytes: body.byteLength + headBytes(answer), ms, headers: answer.headers, status: answer.status };
  };
  return async (address, only, more = {}) => {
    const sample = await ask(address, only, more).catch((error) => {
      if (signal.aborted) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${origin}${address.path} could not be reached from this server: ${reason}`);
    });
    if (sample.status === 429) throw new LimitReached();
    if (sample.status !== 200 && sample.status !== 304)
      throw new Error(`${address.path} responded with status ${sample.status}`);
    if (sample.headers.get(trialHeader) !== (only ?? "none"))
      throw new Error(
        `Another server responds at ${origin}, or a proxy removes the header ${trialHeader}: the switches cannot be measured from this server`,
      );
    return sample;
  };
};

/** The rate limit is reached: the remaining endpoints cannot be measured now. */
export class LimitReached extends Error {}

/** The header lines as HTTP/1.1 sends them. */
const headBytes = ({ headers, status, statusText }: Response): number => {
  let bytes = `HTTP/1.1 ${status} ${statusText}\r\n\r\n`.length;
  for (const [name, value] of headers) if (name !== trialHeader) bytes += name.length + value.length + 4;
  return bytes;
};

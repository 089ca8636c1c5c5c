import { type Measured, type Report, type SwitchName, type SwitchReport, switchNames } from "../wire.ts";
import { LimitReached, type MeasureAnswer, type Sample } from "./measure-answer.ts";
import { type Address, isCall, measuredAddresses } from "./measured-addresses.ts";
import { median } from "./median.ts";
import { noteOn } from "./switch-notes.ts";

/** How often pages are asked for with a switch off, and as often with it on; calls a third as often. */
export const repeats = 15;
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
  "Some calls were left out: requests of this server to itself count against the limit on requests, and it is nearly reached.";

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

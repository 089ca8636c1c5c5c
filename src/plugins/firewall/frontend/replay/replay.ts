import { useEffect, useState } from "react";
import type { Paranoia } from "../../backend/engine/engine-types.ts";
import type { CountryRules, RateInput, ReplayData, ReplayDraft, Switches } from "../../backend/wire.ts";
import type { Calls } from "../calls.ts";

/** A draft as it is being made; what is `null` or empty is as it is now. */
export type ReplayForm = {
  level: Paranoia | null;
  threshold: string;
  countries: CountryRules | null;
  addresses: { kind: "allow" | "deny"; address: string }[];
  rates: RateInput[];
};

/** A draft that changes nothing. */
export const emptyForm: ReplayForm = {
  level: null,
  threshold: "",
  countries: null,
  addresses: [],
  rates: [],
};

/** What the server runs: only what is another than now. Countries that miss their codes are the caller's to refuse. */
export const toDraft = (
  form: ReplayForm,
  now: Pick<Switches, "paranoiaLevel" | "threshold">,
): ReplayDraft => {
  const { level, threshold, countries, addresses, rates } = form;
  const typed = Number(threshold);
  const switches: Partial<Switches> = {
    ...(level !== null && level !== now.paranoiaLevel && { paranoiaLevel: level }),
    ...(threshold.trim() !== "" && typed !== now.threshold && { threshold: typed }),
  };
  return {
    ...(Object.keys(switches).length > 0 && { switches }),
    ...(countries !== null && { countries }),
    ...(addresses.length > 0 && { addAddresses: addresses }),
    ...(rates.length > 0 && { addRates: rates }),
  };
};

/** Whether a draft would change anything. */
export const isEmptyDraft = (draft: ReplayDraft): boolean => Object.keys(draft).length === 0;

/** Whether two drafts are the same. */
export const isSameDraft = (a: ReplayDraft, b: ReplayDraft): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** The parts of a draft, in the order in which they are put in force: what lets people in comes before what keeps them out. */
export const draftParts = ["addresses", "switches", "rates", "countries"] as const;
type DraftPart = (typeof draftParts)[number];

/** What became of it: the parts that are in force, what is left of the form, and why the rest is not. */
export type SwitchedOn = { done: DraftPart[]; left: ReplayForm; failure: unknown };

/** Puts a draft in force, part by part; the first refusal ends it. `revision` tells the newest known before each write. */
export const switchOn = async (
  calls: Calls,
  { form, now, revision }: { form: ReplayForm; now: Switches; revision: () => Promise<number> },
): Promise<SwitchedOn> => {
  const draft = toDraft(form, now);
  const done: DraftPart[] = [];
  let left = form;
  const steps: Record<DraftPart, () => Promise<void>> = {
    addresses: async () => {
      const sorted = form.addresses.toSorted((a, b) => a.kind.localeCompare(b.kind));
      for (const entry of sorted) {
        await calls.addAddress(entry);
        left = { ...left, addresses: left.addresses.filter((other) => other !== entry) };
      }
    },
    switches: async () => {
      await calls.saveSwitches({ ...draft.switches, revision: await revision() });
      left = { ...left, level: emptyForm.level, threshold: emptyForm.threshold };
    },
    rates: async () => {
      for (const rate of form.rates) {
        await calls.addRate({ ...rate, isOn: true });
        left = { ...left, rates: left.rates.filter((other) => other !== rate) };
      }
    },
    countries: async () => {
      await calls.saveCountries({ ...draft.countries, revision: await revision() });
      left = { ...left, countries: emptyForm.countries };
    },
  };
  const wanted: Record<DraftPart, boolean> = {
    addresses: form.addresses.length > 0,
    switches: draft.switches !== undefined,
    rates: form.rates.length > 0,
    countries: draft.countries !== undefined,
  };
  for (const part of draftParts) {
    if (!wanted[part]) continue;
    try {
      await steps[part]();
    } catch (failure) {
      return { done, left, failure };
    }
    done.push(part);
  }
  return { done, left: emptyForm, failure: null };
};

const askMs = 500;

/** A run and the draft that it is about. */
type Run = { draft: ReplayDraft; data: ReplayData };

/** The draft and its run. They are kept while other sub-pages are looked at. */
export type ReplayControl = ReturnType<typeof useReplay>;

/** Keeps the draft, starts and cancels its run, and follows it until it ends. */
export const useReplay = (calls: Calls) => {
  const [form, setForm] = useState<ReplayForm>(emptyForm);
  const [run, setRun] = useState<Run | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isStarting, setIsStarting] = useState(false);
  const runningId = run?.data.state === "running" ? run.data.id : null;

  useEffect(() => {
    if (runningId === null) return;
    let isOver = false;
    const ask = async () => {
      try {
        const data = await calls.replay(runningId);
        if (!isOver) setRun((known) => known && { ...known, data });
      } catch (cause) {
        // It is asked for again: the run goes on without this page.
        if (!isOver) setError(cause);
      }
    };
    const timer = setInterval(() => void ask(), askMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [calls, runningId]);

  const start = async (draft: ReplayDraft) => {
    setIsStarting(true);
    setError(null);
    try {
      setRun({ draft, data: await calls.startReplay(draft) });
    } catch (cause) {
      setError(cause);
    } finally {
      setIsStarting(false);
    }
  };
  const cancel = async () => {
    if (runningId === null) return;
    try {
      const data = await calls.cancelReplay(runningId);
      setRun((known) => known && { ...known, data });
    } catch (cause) {
      setError(cause);
    }
  };
  const clear = () => {
    setForm(emptyForm);
    setRun(null);
    setError(null);
  };
  return {
    form,
    change: (more: Partial<ReplayForm>) => setForm((known) => ({ ...known, ...more })),
    run,
    error,
    isStarting,
    start: (draft: ReplayDraft) => void start(draft),
    cancel: () => void cancel(),
    clear,
  };
};

import { failureText } from "@atrium/plugin-sdk/ui";
import type { Json, Method } from "#plugins/sdk/types.ts";
import type * as wire from "../backend/wire.ts";
import { texts } from "./texts.ts";

/** How a call goes out: the host's `api.call`. */
export type Send = (method: Method, path: string, body?: Json) => Promise<Json>;

/** The revision that what is changed was seen at: an older one than the server's is refused. */
type At = { revision: number };

/** Every call of the firewall's own routes. */
export type Calls = ReturnType<typeof createCalls>;

/** The calls, each with the answer's `data`; rejects with the refusal. */
export const createCalls = (ask: Send) => {
  const send: Send = (...call) =>
    ask(...call).catch((error: unknown) => {
      throw rejectionOf(error);
    });
  const get = async <T>(path: string, query: Query = {}): Promise<T> =>
    dataOf<T>(await send("GET", `${path}${queryText(query)}`));
  const write = async <T>(method: Method, path: string, body: object = {}): Promise<T> =>
    dataOf<T>(await send(method, path, asJson(body)));
  const one = (path: string, id: string | number) => `${path}/${encodeURIComponent(id)}`;
  return {
    config: () => get<wire.ConfigData>("/config"),
    saveSwitches: (change: Partial<wire.Switches> & At) => write<wire.ConfigData>("PUT", "/config", change),
    status: () => get<wire.StatusData>("/status"),
    confirm: (at: At) => write<wire.ConfigData>("POST", "/confirm", at),
    revert: (at: At) => write<wire.ConfigData>("POST", "/revert", at),
    history: () => get<wire.HistoryData>("/history"),
    revertChange: (id: number) => write<wire.HistoryData>("POST", `${one("/history", id)}/revert`),
    restoreRules: () => write<wire.ConfigData>("POST", "/rules/restore"),

    addresses: (query: Query) => get<wire.AddressesData>("/addresses", query),
    addAddress: (input: wire.AddressInput) =>
      write<{ entry: wire.AddressEntry }>("POST", "/addresses", input),
    changeAddress: (id: string, change: wire.AddressChange) => write("PUT", one("/addresses", id), change),
    deleteAddresses: (ids: string[], at: At) =>
      write<{ deleted: number }>("POST", "/addresses/delete", { ids, ...at }),
    importAddresses: (input: wire.ImportInput) => write<wire.ImportData>("POST", "/addresses/import", input),

    countries: () => get<wire.CountriesData>("/countries"),
    saveCountries: (change: Partial<wire.CountryRules> & At) =>
      write<wire.CountriesData>("PUT", "/countries", change),

    rates: () => get<wire.RatesData>("/rates"),
    addRate: (input: wire.RateInput) => write<wire.RatesData>("POST", "/rates", input),
    changeRate: (id: string, change: wire.RateInput) =>
      write<wire.RatesData>("PUT", one("/rates", id), change),
    deleteRate: (id: string) => write<wire.RatesData>("DELETE", one("/rates", id)),

    patterns: () => get<wire.PatternsData>("/patterns"),
    switchPattern: (id: number, isOn: boolean) =>
      write<wire.PatternsData>("PUT", one("/patterns", id), { isOn }),

    exemptions: () => get<wire.ExemptionsData>("/exemptions"),
    addExemption: (input: wire.ExemptionInput) => write<wire.ExemptionsData>("POST", "/exemptions", input),
    changeExemption: (id: string, input: wire.ExemptionInput) =>
      write<wire.ExemptionsData>("PUT", one("/exemptions", id), input),
    proposals: () => get<wire.ProposalsData>("/proposals"),
    /** `replay`: the ID of the replay that proposes it; `null` for one that the journal proposes. */
    acceptProposal: (id: string, replay: string | null) =>
      write<wire.ExemptionsData>("POST", `${one("/proposals", id)}/accept${queryText({ replay })}`),
    deleteExemption: (id: string) => write<wire.ExemptionsData>("DELETE", one("/exemptions", id)),

    bans: (query: Query) => get<wire.BansData>("/bans", query),
    ban: (input: { address: string; minutes: number; note?: string }) =>
      write<wire.BansData>("POST", "/bans", input),
    liftBan: (address: string) => write<wire.BansData>("POST", "/bans/lift", { address }),
    liftAllBans: () => write<wire.BansData>("DELETE", "/bans"),

    journal: (query: Query) => get<wire.JournalData>("/journal", query),
    explain: (id: string) => get<wire.ExplainData>(one("/explain", id)),
    traffic: (query: Query) => get<wire.TrafficData>("/traffic", query),
    minutes: (hours: number) => get<wire.MinutesData>("/traffic/minutes", { hours }),

    startReplay: (draft: wire.ReplayDraft) => write<wire.ReplayData>("POST", "/replay", draft),
    replay: (id: string) => get<wire.ReplayData>(one("/replay", id)),
    cancelReplay: (id: string) => write<wire.ReplayData>("DELETE", one("/replay", id)),
  };
};

/** What narrows a list down; what is empty or `null` is left out. */
export type Query = Record<string, string | number | null>;

const queryText = (query: Query): string => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== "") params.set(name, String(value));
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
};

/** The backend's routes answer so whenever they do not refuse; their types are the same source. */
const dataOf = <T>(answer: unknown): T => (answer as wire.Answer<T>).data;

/** Bodies are made of the wire's types, which hold nothing that JSON has not; fields left `undefined` are not written. */
const asJson = (body: object): Json => body as Json;

/** The status and code of a refused call; `null` for any other failure. */
const refusalOf = (error: unknown): { status: unknown; code: unknown } | null =>
  error instanceof Error && "status" in error && "code" in error
    ? { status: error.status, code: error.code }
    : null;

/** Whether somebody else changed the rules meanwhile, or has a change waiting. */
export const isConflict = (error: unknown): boolean => {
  const refusal = refusalOf(error);
  return refusal?.status === 409 && refusal.code === "CONFLICT";
};

/** A call that no answer came to. */
class NoAnswer extends Error {
  constructor(cause: unknown) {
    super(texts.noAnswer, { cause });
    this.name = "NoAnswer";
  }
}

/** Whether the server gave no answer at all. */
export const isUnreachable = (error: unknown): boolean => error instanceof NoAnswer;

/** What a call was rejected with: a refusal as it is, and for anything else, as a connection that broke, {@link NoAnswer}. */
const rejectionOf = (error: unknown): unknown => (refusalOf(error) === null ? new NoAnswer(error) : error);

/** Whether there is nothing under what was asked for. */
export const isAbsent = (error: unknown): boolean => refusalOf(error)?.status === 404;

/** Whether the firewall refuses whoever asks. */
export const isShutOut = (error: unknown): boolean => {
  const status = refusalOf(error)?.status;
  return status === 403 || status === 429;
};

/** Why a change was not saved, and what to do next. */
export const saveFailure = (error: unknown): string => {
  if (isUnreachable(error)) return texts.offline;
  const words = failureText(error, texts.saveFailed);
  return isConflict(error) ? `${words} ${texts.conflict}` : words;
};

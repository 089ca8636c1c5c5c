import type { PluginAnswer, PluginCaller } from "../driver/plugin-caller.ts";
import { notesPublisher, packNotes } from "../fixtures/plugins/notes-plugin.ts";

/** How a plugin stands; what is stored of one that is not installed (`version` is `null`) comes back with it. */
export type PluginState = {
  version: string | null;
  isEnabled: boolean;
  greeting: string;
  mark: string | null;
};

/** What someone outside the server knows of one plugin. */
export type PluginJournal = {
  name: string;
  /** As of the last answer. */
  state: PluginState;
  /** How else it may stand by now: what was asked for was not answered. Empty when nothing is open. */
  mayBe: PluginState[];
  /** How often each act was acknowledged. */
  done: Map<string, number>;
  /** Acts that were answered with a refusal; none should be. */
  refused: string[];
  versions: number;
};

/** Nothing is installed, and nothing is stored. */
export const absent: PluginState = { version: null, isEnabled: false, greeting: "none", mark: null };

/** The journal of a plugin that was never installed. */
export const newJournal = (name: string): PluginJournal => ({
  ...{ name, state: absent, mayBe: [], done: new Map(), refused: [], versions: 0 },
});

/** One thing that an admin does: the ways in which it may have ended when it was not answered, the last of them wholly. */
type Act = { name: string; ways: PluginState[]; call(): Promise<PluginAnswer> };

/** Does one thing after the other to a plugin, at random, until the server is gone or `isOver` says so. */
export const actOnPlugin = async (
  caller: PluginCaller,
  journal: PluginJournal,
  isOver: () => boolean,
): Promise<void> => {
  try {
    while (!isOver()) {
      const act = await chooseAct(caller, journal);
      journal.mayBe = act.ways;
      const { status, body } = await act.call();
      if (status >= 300) {
        // While its processes are being killed, the last of them may still say that another one is gone.
        if (!isOver()) journal.refused.push(`${act.name}: ${status} ${body.code} ${body.message}`);
        return;
      }
      journal.state = act.ways.at(-1) ?? journal.state;
      journal.mayBe = [];
      journal.done.set(act.name, (journal.done.get(act.name) ?? 0) + 1);
    }
  } catch {
    // The server was killed in the middle: what was asked for may have been done or not.
  }
};

const chooseAct = async (caller: PluginCaller, journal: PluginJournal): Promise<Act> => {
  const { state } = journal;
  if (state.version === null) return upload(caller, journal);
  const makers = state.isEnabled ? [...whileOn, ...always] : [enable, enable, enable, ...always];
  const maker = makers[Math.floor(Math.random() * makers.length)] ?? upload;
  return maker(caller, journal);
};

type MakeAct = (caller: PluginCaller, journal: PluginJournal) => Act | Promise<Act>;

const upload: MakeAct = async (caller, journal) => {
  const { name, state } = journal;
  journal.versions += 1;
  const version = `1.${journal.versions}.0`;
  const zip = await packNotes(name, version, notesPublisher.privateKey);
  const words = state.isEnabled ? "upgrade" : "upload";
  return { name: words, ways: [{ ...state, version }], call: () => caller.upload(zip) };
};

const enable: MakeAct = (caller, { name, state }) => ({
  name: "enable",
  ways: [{ ...state, isEnabled: true }],
  call: () => caller.toggle(name, true),
});

const disable: MakeAct = (caller, { name, state }) => ({
  name: "disable",
  ways: [{ ...state, isEnabled: false }],
  call: () => caller.toggle(name, false),
});

const goBack: MakeAct = async (caller, journal) => {
  const { name, state } = journal;
  const found = await caller.look(name);
  const kept: { version: string }[] = Array.isArray(found?.versions) ? found.versions : [];
  const others = kept.map(({ version }) => version).filter((version) => version !== state.version);
  const version = others[Math.floor(Math.random() * others.length)];
  if (version === undefined) return upload(caller, journal);
  return {
    name: state.isEnabled ? "rollback while on" : "rollback while off",
    ways: [{ ...state, version }],
    call: () => caller.activate(name, version),
  };
};

const saveSettings: MakeAct = (caller, { name, state }) => {
  const greeting = crypto.randomUUID();
  return {
    name: "settings",
    ways: [{ ...state, greeting }],
    call: () => caller.ask("PUT", `/api/plugins/${name}/settings`, { values: { greeting } }),
  };
};

const saveMark: MakeAct = (caller, { name, state }) => {
  const mark = crypto.randomUUID();
  return {
    name: "value",
    ways: [{ ...state, mark }],
    call: () => caller.ask("POST", `/api/${name}/mark`, { mark }),
  };
};

const remove: MakeAct = (caller, { name, state }) => {
  const retainData = Math.random() < 0.5;
  const off = { ...state, isEnabled: false };
  return {
    name: retainData ? "delete, data kept" : "delete",
    ways: [off, retainData ? { ...off, version: null } : absent],
    call: () => caller.remove(name, { retainData }),
  };
};

const whileOn = [disable, disable, saveMark, upload];
const always = [upload, goBack, saveSettings, remove];

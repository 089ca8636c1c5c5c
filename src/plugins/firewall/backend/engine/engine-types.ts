/** Where in a request a text stands. */
export type Place = "path" | "query" | "header" | "cookie" | "body";

/** All kinds of attack patterns. */
export const categories = [
  "sql-injection",
  "cross-site-scripting",
  "command-injection",
  "file-access",
  "remote-inclusion",
  "code-injection",
  "protocol",
  "scanner",
] as const;

/** What kind of attack a pattern is about. */
export type Category = (typeof categories)[number];

/** 1: what hardly ever stands in honest requests; 4: what often does. */
export type Paranoia = 1 | 2 | 3 | 4;

/** What a pattern adds to a request's anomaly score. */
export const severityScores = { critical: 5, high: 4, medium: 3, low: 2 } as const;
type Severity = keyof typeof severityScores;

/**
 * How a text is written when a pattern looks at it. `plain`: decoded, in lower case. `markup`: what a browser would read
 * (entities and escapes decoded, what browsers skip left out). `sql`: comments and odd white space taken out. `shell`: quotes, escapes
 * and other marks that shells take away taken away. `path`: one kind of slash, no doubled ones.
 */
export type ViewName = "plain" | "markup" | "sql" | "shell" | "path";

/** One value of a request, ready to be looked at; views are made when they are first asked for, in linear time. */
export type Subject = {
  place: Place;
  /** Name of the parameter, header, cookie or field (`user.name` in JSON), in lower case; empty for the path and whole bodies. */
  name: string;
  /** As it came, decoded by its transport alone. */
  raw: string;
  /** Whether the request says that a page of its own host led to it: only somebody else's page brings a session along. */
  isFromHere: boolean;
  /** Nothing in it is written in more than one way: all views are the same. */
  isUniform: boolean;
  /** Someone wrote it for others to read: naming a thing is no attack there, being one is. */
  isProse: boolean;
  view(name: ViewName): string;
};

/** Something that hardly any honest request has. */
export type Pattern = {
  /** Never used again for another one: admins switch patterns off by it. */
  id: number;
  /** In a few words, for admins. */
  title: string;
  category: Category;
  paranoia: Paranoia;
  severity: Severity;
  /** Where it looks; everywhere unless given. */
  places?: readonly Place[];
  /** What it looks at. */
  view: ViewName;
  /**
   * What a text must have one of, in lower case, before `find` is asked: then most honest texts cost nothing. Always asked
   * without it.
   */
  needs?: readonly string[];
  /**
   * The piece that it found, `null` where there is none. Needs time by the length of the text alone, whatever the text:
   * 10 ms for 64 KB at most.
   */
  find(text: string, subject: Subject): string | null;
};

/** What a pattern found in a request. */
export type Hit = {
  pattern: number;
  title: string;
  category: Category;
  score: number;
  place: Place;
  name: string;
  /** What was found with a little around it, at most 120 characters, without control characters. */
  excerpt: string;
};

/** A request as the engine gets it: nothing in it has been decoded. */
export type InspectedRequest = {
  method: string;
  /** As in the request line, without the query. */
  path: string;
  /** Without its question mark. */
  query: string;
  headers: readonly (readonly [name: string, value: string])[];
  /** As it came, at most the scan cap and one byte more; `null` without one. */
  body: Uint8Array | null;
  /** Path, query and headers were looked at before: what they say of the body counts alone. */
  isHeadKnown?: boolean;
};

/** What the engine says about a request. */
export type Inspection = {
  score: number;
  /** `score` reached the threshold, or the request could not be looked through whole. */
  isAttack: boolean;
  hits: Hit[];
  /** Why it could not be looked through whole: then it counts as an attack. */
  obstacle: "too-large" | "too-deep" | "undecodable" | null;
};

/** What admins decide about the engine. */
export type EngineOptions = {
  paranoia: Paranoia;
  /** Anomaly score from which a request counts as an attack: 5 unless admins want otherwise. */
  threshold: number;
  /** Patterns that are switched off. */
  switchedOff: ReadonlySet<number>;
  /** Where free text is welcome: there patterns of these categories do not look. Paths as `matchesRoute` reads them. */
  exemptions: readonly Exemption[];
};

/** Fields of a route in which texts of some kind are welcome. */
export type Exemption = {
  /** `POST`, or `*` for any. */
  method: string;
  /** `/api/contact`; a `*` at its end stands for whatever follows. */
  path: string;
  /** Names of fields; empty: all of the route. */
  fields: readonly string[];
  /** Which patterns do not look there; empty: none does. */
  categories: readonly Category[];
  /** Parts of the request that it is about; left out: fields of query and body, and without fields all of the request. */
  places?: readonly Place[];
};

/** Looks through requests; made anew when options change, never on a request's way. */
export type Engine = { inspect(request: InspectedRequest): Inspection };

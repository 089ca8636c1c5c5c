import { createPathTest, type PathTest } from "../rules/path-pattern.ts";
import {
  type Category,
  type Engine,
  type EngineOptions,
  type Exemption,
  type Hit,
  type InspectedRequest,
  type Inspection,
  type Pattern,
  type Place,
  type Subject,
  severityScores,
} from "./engine-types.ts";
import { allPatterns } from "./patterns/all-patterns.ts";
import { createPrefilter } from "./prefilter.ts";
import { requestSubjects } from "./request-subjects.ts";

/** What naming something in a message counts: one that is full of such names is blocked all the same. */
const namedScore = 1;

/** Findings that say enough of an attack: a text that has something of everything would take long for nothing. */
const enoughHits = 8;

/**
 * An engine for these options. Every pattern counts once for a request, however often it finds something. Looking
 * through a request takes time by its length alone.
 */
export const createEngine = (options: EngineOptions, patterns: readonly Pattern[] = allPatterns): Engine => {
  const used = patterns.filter(
    ({ id, paranoia }) => paranoia <= options.paranoia && !options.switchedOff.has(id),
  );
  const candidates = createPrefilter(used);
  return {
    inspect: (request) => {
      const exempt = exemptionsOf(request, options.exemptions);
      if (exempt.isWholly) return { score: 0, isAttack: false, hits: [], obstacle: null };
      const looked = exempt.isBodyWholly ? { ...request, body: null } : request;
      const { subjects, obstacle } = requestSubjects(looked);
      const found = new Map<number, Hit>();
      let score = 0;
      for (const subject of subjects) {
        for (const pattern of candidates(subject)) {
          if (found.get(pattern.id)?.score === severityScores[pattern.severity]) continue;
          const piece = pattern.find(subject.view(pattern.view), subject);
          if (piece === null || exempt.covers(subject, pattern.category)) continue;
          const hit = hitOf(pattern, subject, piece);
          const known = found.get(pattern.id)?.score ?? 0;
          if (hit.score <= known) continue;
          found.set(pattern.id, hit);
          score += hit.score - known;
          if (found.size >= enoughHits && score >= options.threshold) return judge(found, obstacle, options);
        }
      }
      return judge(found, obstacle, options);
    },
  };
};

const hitOf = (pattern: Pattern, subject: Subject, piece: string): Hit => ({
  pattern: pattern.id,
  title: pattern.title,
  category: pattern.category,
  score:
    subject.isProse && !isAttackInProse(pattern, subject) ? namedScore : severityScores[pattern.severity],
  place: subject.place,
  name: subject.name.slice(0, 64),
  excerpt: excerptOf(subject.view(pattern.view), piece),
});

const judge = (
  found: ReadonlyMap<number, Hit>,
  obstacle: Inspection["obstacle"],
  { threshold }: EngineOptions,
): Inspection => {
  const hits = [...found.values()].toSorted((a, b) => a.pattern - b.pattern);
  const score = hits.reduce((sum, hit) => sum + hit.score, 0);
  return { score, isAttack: score >= threshold || obstacle !== null, hits, obstacle };
};

/** What of a request is exempt from which patterns. */
type Exempt = {
  /** Nothing of the request is looked at. */
  isWholly: boolean;
  /** Nothing of its body is looked at, whatever its length. */
  isBodyWholly: boolean;
  covers(subject: Subject, category: Category): boolean;
};

/** The exemptions that hold for a request. A field is named by its own name or by its place in JSON: `user.name`. */
const exemptionsOf = (request: InspectedRequest, exemptions: readonly Exemption[]): Exempt => {
  const held = exemptions.filter((exemption) => holds(exemption, request));
  const wholes = held.filter(({ fields, categories }) => fields.length === 0 && categories.length === 0);
  return {
    isWholly: wholes.some(({ places }) => places === undefined),
    isBodyWholly: wholes.some(({ places }) => places?.includes("body") ?? true),
    covers: (subject, category) =>
      held.some(
        ({ fields, categories, places }) =>
          (places ?? (fields.length === 0 ? everywhere : withFields)).includes(subject.place) &&
          (fields.length === 0 || fields.some((field) => field.toLowerCase() === subject.name)) &&
          (categories.length === 0 || categories.includes(category)),
      ),
  };
};

const everywhere: readonly Place[] = ["path", "query", "header", "cookie", "body"];
/** A cookie or a header of a field's name is no field. */
const withFields: readonly Place[] = ["query", "body"];

const pathTests = new WeakMap<Exemption, PathTest>();

/** A path with odd writings never matches: what is exempt is what the router would reach by its plain name. */
const holds = (exemption: Exemption, request: InspectedRequest): boolean => {
  const { method, path } = exemption;
  if (method !== "*" && method.toUpperCase() !== request.method.toUpperCase()) return false;
  const test = pathTests.get(exemption) ?? createPathTest(path);
  pathTests.set(exemption, test);
  return test(request.path) && !/%|\\|\/\.|\/\//.test(request.path);
};

const mostCharacters = 120;
const around = 20;

/** A piece of a text with a little of what stands around it, at most 120 characters, without control characters. */
export const excerptOf = (text: string, piece: string): string => {
  const at = Math.max(0, text.indexOf(piece));
  const start = Math.max(0, at - around);
  const end = Math.min(text.length, at + piece.length + around, start + mostCharacters);
  return text.slice(start, end).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
};

/** What is an attack even among sentences: what breaks out of a query, runs in a browser, reaches out, or reads what only attackers read. */
const attacks: Record<Category, RegExp> = {
  "sql-injection":
    /['"`][\s)]{0,8}(?:(?:x?or|and|\|\||&&)[\s(]{1,8}['"\w]{1,32}[\s)]{0,8}(?:=|<|>|like\b)|union\b|;\s{0,8}(?:drop|insert|update|delete|exec|select|declare|shutdown|create|alter|truncate)\b|order\sby\s\d|having\s)|['"`][\s)]{0,8}(?:--|#|\/\*)\s{0,8}$|\bunion\s(?:all\s)?select\s.{1,80}(?:--|#)|xp_cmdshell|\b(?:waitfor\sdelay|pg_sleep|benchmark\s?\(|extractvalue\s?\(|updatexml\s?\()/,
  "cross-site-scripting":
    /<\w[^<>]{0,200}\bon[a-z]{3,32}\s{0,8}=\s{0,8}["']?[^>]{0,200}(?:alert|confirm|prompt|eval|cookie|fetch|\.src|location|import\(|atob|fromcharcode|window|document|\/\/)|<script[^<>]{0,100}>[^<]{0,200}(?:alert|confirm|prompt|eval|cookie|fetch|location|import|atob|document|window)|<(?:script|iframe|object|embed)[^<>]{0,200}(?:src|data|href)\s{0,8}=\s{0,8}["']?\s{0,8}(?:https?:|\/\/|javascript:|data:)|(?:href|src|action|data|srcdoc|formaction)\s{0,8}=\s{0,8}["']?\s{0,8}(?:javascript|vbscript|data:text)|document\.cookie.{0,80}(?:\/\/|fetch|location)|(?:fetch|\.src|location).{0,80}document\.cookie/,
  "command-injection":
    /\/dev\/(?:tcp|udp)\/|(?:^|[;&\n]|\|\||&&)\s{0,8}(?:cat|less|head|tail|tac|nl)\s[^\n]{0,80}\/etc\/(?:passwd|shadow)|(?:\$\(|`)\s*(?:curl|wget|nc|bash|sh|python\d?|perl|cat\s\/etc)\b[^)`]{0,120}(?:https?:|\$\(|\/etc\/(?:passwd|shadow)|-e\b)|(?:^|[;&|])\s{0,8}(?:nc|ncat)\s[^\n]{0,80}-e\b|(?:^|[;&|\n])\s{0,8}(?:\.\s)?rm\s{1,8}-[rf]|\(\)\s{0,8}\{\s{0,8}:;\s{0,8}\}/,
  "file-access": /(?:\.\.[\\/]){2,}(?:etc|windows|winnt|proc|boot\.ini|root|home|var)\b/,
  "remote-inclusion": /(?:php|expect|phar|gopher):\/\//,
  "code-injection":
    /\$\{[^}]{0,24}(?:jndi|\$\{)|\$_(?:get|post|request|cookie)\b|__(?:class|import|globals|subclasses|builtins|mro)__|getruntime|processbuilder|child_process['"`]\s?\)\s?\.\s?\w{1,12}\s?\(|ognl|_memberaccess|[oc]:\d{1,4}:"[\w\\]+":\d+:\{|ro0ab|mainmodule\.(?:require|constructor|_?load)/,
  protocol:
    /<!(?:doctype\s[^>]{0,100}(?:\[|system)|entity)|<!--\s{0,4}#(?:exec|include)|[\r\n](?:set-cookie|content-length)\s?:|\*\)\(|[\r\n]b?cc\s?:/,
  scanner: /./,
};

/** Whether what a pattern finds in a text of sentences is an attack, not the name of one. */
const isAttackInProse = ({ category, view }: Pattern, subject: Subject): boolean =>
  attacks[category].test(subject.view(view)) ||
  (view !== "plain" && attacks[category].test(subject.view("plain")));

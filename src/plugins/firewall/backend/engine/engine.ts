import type { Engine, EngineOptions, Hit, Inspection, Pattern, Subject } from "./engine-types.ts";
import { severityScores } from "./engine-types.ts";
import { excerptOf } from "./excerpt.ts";
import { exemptionsOf } from "./exemptions.ts";
import { allPatterns } from "./patterns/all-patterns.ts";
import { isAttackInProse } from "./patterns/prose-attacks.ts";
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

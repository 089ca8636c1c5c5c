import { categories } from "../engine/engine-types.ts";
import { allPatterns } from "../engine/patterns/all-patterns.ts";
import { mostName, mostPath } from "../inspect/redact.ts";
import { createPathTest, isPathPattern } from "../rules/path-pattern.ts";
import type { StoredExemption } from "../rules/rules.ts";
import type { JournalEntry, Proposal, Reason } from "../wire.ts";

/** What a proposal is made from: a request that patterns stopped, or would have stopped. */
export type Stopped = Pick<
  JournalEntry,
  "id" | "method" | "path" | "user" | "teaches" | "score" | "threshold" | "reasons"
>;

const mostProposals = 20;
const shownExamples = 5;

const categoryOf = new Map(allPatterns.map(({ id, category }) => [String(id), category]));

/**
 * Exemptions that would have let pass what signed-in users sent, those of most users first. Visitors' requests propose
 * nothing, nor do those that another site may have started. Each exempts the fields in which patterns matched, from patterns
 * of those categories; requests that something else speaks against as well, and those that an exemption covers by now,
 * propose nothing either.
 */
export const proposalsOf = (
  stopped: readonly Stopped[],
  exemptions: readonly StoredExemption[],
): Proposal[] => {
  const found = new Map<string, Proposal & { userIds: Set<string> }>();
  for (const entry of stopped) {
    const part = exemptedPart(entry);
    if (
      part === null ||
      entry.teaches !== true ||
      !isLiteral(entry) ||
      entry.user === null ||
      isCovered(entry, part, exemptions)
    )
      continue;
    const id = idOf(entry, part);
    const known = found.get(id) ?? {
      ...{ id, method: entry.method, path: entry.path, ...part, patterns: [] },
      ...{ requests: 0, users: 0, examples: [], userIds: new Set() },
    };
    known.requests += 1;
    known.userIds.add(entry.user.id);
    known.users = known.userIds.size;
    known.patterns = [...new Set([...known.patterns, ...part.patterns])];
    if (known.examples.length < shownExamples) known.examples.push(entry.id);
    found.set(id, known);
  }
  return [...found.values()]
    .sort((one, other) => other.users - one.users || other.requests - one.requests)
    .slice(0, mostProposals)
    .map(({ userIds: _userIds, ...proposal }) => proposal);
};

/** A path is proposed as it came, so it must stand for itself alone, and be whole: neither wildcards nor what redaction hid. */
const isLiteral = ({ method, path }: Stopped): boolean =>
  /^[A-Z]+$/.test(method) && isPathPattern(path) && !/[*:]|\/\./.test(path) && path.length < mostPath;

type Route = Pick<Proposal, "method" | "path">;
type Part = Pick<Proposal, "fields" | "categories" | "patterns">;

/** What to exempt so that a request passes; `null` if it was not stopped by patterns in named fields alone. */
const exemptedPart = ({ reasons, score, threshold }: Stopped): Part | null => {
  const isPattern = ({ by }: Reason) => by === "pattern";
  const inFields = reasons.filter(
    ({ by, place, name }) => by === "pattern" && (place === "query" || place === "body") && isWhole(name),
  );
  const rest = score - inFields.reduce((sum, reason) => sum + reason.score, 0);
  if (score < threshold || rest >= threshold || inFields.length === 0 || !reasons.every(isPattern))
    return null;
  return {
    fields: [...new Set(inFields.map(({ name }) => name))].sort(),
    categories: categories.filter((name) => inFields.some(({ rule }) => categoryOf.get(rule) === name)),
    patterns: [...new Set(inFields.map(({ text }) => text))],
  };
};

/** Whether a field's name is as it came: neither hidden nor cut. */
const isWhole = (name: string): boolean => name !== "" && !name.includes("…") && name.length < mostName;

/** Whether an exemption lets pass what a proposal is about. */
export const isCovered = (
  { method, path }: Route,
  part: Part,
  exemptions: readonly StoredExemption[],
): boolean =>
  exemptions.some(
    (one) =>
      (one.method === "*" || one.method === method) &&
      createPathTest(one.path)(path) &&
      (one.fields.length === 0 || part.fields.every((field) => one.fields.includes(field))) &&
      (one.categories.length === 0 || part.categories.every((name) => one.categories.includes(name))),
  );

/** The same for the same exemption on every server: what an admin saw is what is accepted. */
const idOf = ({ method, path }: Route, { fields, categories }: Part): string =>
  new Bun.CryptoHasher("sha256")
    .update(JSON.stringify([method, path, fields, categories]))
    .digest("hex")
    .slice(0, 32);

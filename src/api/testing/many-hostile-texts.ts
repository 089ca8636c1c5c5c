import { hostileTexts } from "./hostile-text.ts";
import others from "./many-hostile-texts.json" with { type: "json" };

const long = [100, 101, 128, 129, 200, 201, 254, 256, 500, 501, 1_000, 2_000, 4_096, 5_001, 16_384].flatMap(
  (length) => ["x".repeat(length), "ü".repeat(length)],
);

/**
 * Texts of many kinds, by what they break: readers of bytes, of Unicode and of numbers, databases, shells, templates, pages,
 * paths, mails, tables and logs. Each stands here once.
 */
export const manyHostileTexts: readonly [string, ...string[]] = [...hostileTexts, ...others, ...long];

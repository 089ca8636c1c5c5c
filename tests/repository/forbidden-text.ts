import type { SourceFile } from "./find-import-violations.ts";
import { codeOf } from "./transpile.ts";

/** Something that must not stand in certain files, and why. */
export type Ban = { files: string; except?: string; pattern: RegExp; why: string };

// Put together from halves, so that this file does not hold what it looks for.
const unfinishedWords = ["TO DO", "FIX ME", "XX X"].map((word) => word.replace(" ", "")).join("|");
const compilerSwitches = ["ignore", "nocheck"].map((word) => `@ts-${word}`).join("|");
const testSwitches = ["only", "skip", "todo"].join("|");
const headerWords =
  "admin|role|bypass|user-id|forwarded-user|original-url|rewrite-url|method-override|middleware";

const operations = "src/api/modules/**/*.ts";
const source = "{src,scripts,tests}/**/*.{ts,tsx}";
const tests = "**/*.test.{ts,tsx}";

/** What the whole tree must keep to, beyond what the linter knows. */
const bans: readonly Ban[] = [
  {
    files: operations,
    except: tests,
    pattern: /\bprocess\.env\b/,
    why: "config.ts alone reads the environment",
  },
  { files: operations, except: tests, pattern: /\bBun\.env\b/, why: "config.ts alone reads the environment" },
  { files: operations, except: tests, pattern: /\bDate\.now\(/, why: "the time comes from ctx.clock" },
  {
    files: operations,
    except: tests,
    pattern: /\bnew Date(\(\s*\)|(?!\w|\())/,
    why: "the time comes from ctx.clock",
  },
  { files: operations, except: tests, pattern: /\bMath\.random\(/, why: "tokens and ids come from core" },
  { files: operations, except: tests, pattern: /(?<![\w.])fetch\(/, why: "outbound calls are an adapter's" },
  {
    files: "src/{api,cli}/**/*.ts",
    except: tests,
    pattern: new RegExp(`["'\`]x-[a-z-]*(${headerWords})`, "i"),
    why: "no header of a request grants rights or changes its route",
  },
];

/** Bans that look at comments too. */
const textBans: readonly Ban[] = [
  { files: source, pattern: new RegExp(`\\b(${unfinishedWords})\\b`), why: "finish it" },
  { files: source, pattern: new RegExp(compilerSwitches), why: "mend the type" },
  {
    files: source,
    pattern: new RegExp(`\\b(test|it|describe)\\.(${testSwitches})\\b`),
    why: "every test runs",
  },
];

/** One sentence for each ban that a file breaks. Comments and types are left out for {@link bans}. */
export const findBannedText = (files: readonly SourceFile[]): string[] => [
  ...files.flatMap((file) => complaints(file, bans, codeOf(file))),
  ...files.flatMap((file) => complaints(file, textBans, file.text)),
];

const complaints = (file: SourceFile, list: readonly Ban[], text: string): string[] =>
  list
    .filter(({ files, except, pattern }) => {
      const isExcepted = except !== undefined && new Bun.Glob(except).match(file.path);
      return new Bun.Glob(files).match(file.path) && !isExcepted && pattern.test(text);
    })
    .map(({ pattern, why }) => `${file.path} holds ${pattern}: ${why}`);

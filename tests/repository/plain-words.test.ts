import { describe, expect, test } from "bun:test";
import { findAvoidedWords } from "./find-avoided-words.ts";
import { quotedTexts, wordExceptions } from "./plain-words.ts";
import { sourceFiles } from "./source-files.ts";

const files = sourceFiles("README.md", "CHANGELOG.md", "docs", "scripts", "src", "tests");
const complaints = (text: string, path = "docs/planted.md"): string[] => findAvoidedWords([{ path, text }]);

test("documents, the interface and the checked folders use plain words", () => {
  expect(findAvoidedWords(files)).toEqual([]);
});

test("every exception is still needed", () => {
  const needless = wordExceptions.flatMap(({ file, phrases = [] }) => {
    const text = files.find(({ path }) => path === file)?.text ?? "";
    if (text === "") return [file];
    return phrases.filter((phrase) => !text.includes(phrase));
  });
  expect(needless).toEqual([]);
});

describe("an avoided word", () => {
  test("is found with its line and what to write, in any case and over the end of a line", () => {
    expect(complaints("Fine.\n\nWhoever asks, it happens at\nonce.")).toEqual([
      'docs/planted.md:3: "Whoever": write someone, anyone, user, member',
      'docs/planted.md:3: "at once": write immediately, at the same time',
    ]);
  });

  test("is not found in code, link targets and quoted texts, nor as part of another word", () => {
    expect(
      complaints("`somebody`\n\n```sh\nlogin at once\n```\n[Sign in](login.md) https://a.example/login"),
    ).toEqual([]);
    expect(complaints(quotedTexts.join("\n"))).toEqual([]);
    expect(complaints("The mail server in a classroom, tell-somebody-else")).toEqual([]);
  });

  test("is looked for only where texts are checked", () => {
    expect(complaints("somebody", "src/api/planted.md")).toEqual([]);
  });

  test("is found in the string literals of a program, once its folder is listed", () => {
    const path = "src/plugins/planted-texts.ts";
    const text = '/** somebody */\nconst somebody = {\n  title: "Tell somebody",\n};';
    expect(complaints(text, path)).toEqual([]);
    expect(findAvoidedWords([{ path, text }], ["src/**/*-texts.ts"])).toEqual([
      `${path}:3: "somebody": write someone, anyone, user, member`,
    ]);
  });

  test("is found in labels and between JSX tags, and not in keys, paths, class names and code", () => {
    const path = "src/ui/planted.tsx";
    const text = [
      'import { mail } from "#ui/mail.ts";',
      'const kind: Map<string, "mail"> = mail > room && room < mail ? "mail" : `/mail/$' + "{mail.room}`;",
      "const Planted = ({ mail }: Props) => (",
      '  <p className="room" title="Mail">',
      "    Ask somebody at",
      "    once, {mail} nobody <b>anew</b>",
      "  </p>",
      ");",
    ].join("\n");
    expect(complaints(text, path).toSorted()).toEqual([
      `${path}:4: "Mail": write email, email address`,
      `${path}:5: "at     once": write immediately, at the same time`,
      `${path}:5: "somebody": write someone, anyone, user, member`,
      `${path}:6: "anew": write again`,
      `${path}:6: "nobody": write someone, anyone, user, member`,
    ]);
  });
});

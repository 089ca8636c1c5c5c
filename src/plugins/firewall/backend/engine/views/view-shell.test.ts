// biome-ignore-all lint/suspicious/noTemplateCurlyInString: attackers write these signs, nothing is to be filled in.
import { expect, test } from "bun:test";
import { toShellView } from "./view-shell.ts";

test("what shells take away or fill in is taken away or filled in", () => {
  const written = {
    "c'a't /e\"t\"c/pa\\sswd": "cat /etc/passwd",
    "cat$ifs$9/etc/passwd": "cat /etc/passwd",
    "cat${ifs}/etc/${a}passwd": "cat /etc/passwd",
    "w\\ho\\am\\i": "whoami",
    "who^ami": "whoami",
    "who$@ami": "whoami",
    "wh``o": "who",
    "pi<()ng": "ping",
    "$(whoami$())": "$(whoami)",
    "cat /[e///]tc/p[a]sswd": "cat /etc/passwd",
    "/usr/[a-z]in/id": "/usr/?in/id",
    "/bin$u/cat$u /etc$u/passwd$u": "/bin/cat /etc/passwd",
  };
  expect(Object.keys(written).map(toShellView)).toEqual(Object.values(written));
  expect(toShellView("{cat,/etc/passwd}").trim()).toBe("cat /etc/passwd");
});

test("paths of Windows, prices and variables that stand alone stay as they are", () => {
  for (const text of ["type c:\\windows\\win.ini", "it costs us$ 5", "echo $path", "$home/bin"])
    expect(toShellView(text)).toBe(text);
});

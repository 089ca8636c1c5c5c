import type { Pattern } from "../engine-types.ts";
import { matching } from "../matching.ts";

const base = { category: "command-injection", paranoia: 1, severity: "critical" } as const;

/** Writings of the shells of Windows. */
export const windowsPatterns: readonly Pattern[] = [
  {
    ...base,
    id: 3010,
    title: "Loop or condition of a Windows shell",
    view: "plain",
    needs: ["for", "if"],
    find: (text) => loop.exec(text)?.[0] ?? condition.exec(text)?.[0] ?? null,
  },
  {
    ...base,
    id: 3011,
    title: "PowerShell",
    view: "plain",
    find: (text, subject) => powershell.exec(text)?.[0] ?? findCmdlet(text, subject.raw),
  },
  {
    ...base,
    id: 3014,
    title: "Windows shell that is started",
    view: "shell",
    find: matching(
      /\bcmd(?:\.exe)?\s{0,4}\/[ckvr]\b|(?:^|[;&|\n(`])\s{0,8}net1?\s{1,8}(?:user|localgroup|group|share|use|view|accounts|config|session|start|stop)\b|\b(?:powershell|pwsh)(?:\.exe)?\s{1,8}[-/]\w|%(?:comspec|systemroot|windir|programfiles)(?::~[-\d,]{1,8})?%|\bwmic\b[^\n]{1,80}\/(?:format|node):|(?:^|[;&|\n])\s{0,8}start\s{1,4}(?:\/b\b|(?:calc|notepad|mspaint|explorer|iexplore|chrome|firefox|regedit|taskmgr|mstsc|cmd|powershell|\w{1,24}\.exe)\s*(?:$|[&|])|https?:)|[;&|\n]\s{0,8}\.{0,2}[\w-]{1,32}\.(?:exe|bat|cmd|vbs|ps1|com)(?:\s{0,4}$|\s{1,4}[-/\\"]|\s{0,4}[;&|])|(?:^[\w.-]{1,40}\.exe|[;&|\n]\s{0,8}[\w.-]{1,40}\.(?:exe|ps1|bat|vbs))\s{1,4}(?:[-/@\\]|[a-z]:\\|https?:|\w{1,16}\.(?:exe|txt|log|dll|inf|xml)\b)|\bxp_cmdshell\b|\\system32\\\w{2,24}\.(?:exe|dll|cpl|com)\b|\bcertutil\b.{0,32}-(?:urlcache|decode|encode)|\b(?:mshta|regsvr32|rundll32)(?:\.exe)?\s{1,8}\S{0,64}(?:http|javascript:|vbscript:|\.dll)/,
    ),
  },
  {
    ...base,
    id: 3015,
    title: "Share of another machine",
    view: "plain",
    needs: ["\\\\"],
    find: matching(
      /(?:^|[\s"'=])\\\\\d{1,3}(?:\.\d{1,3}){3}\\[\w$.-]|(?:^|[;&|\n])\s{0,8}(?:start\s{1,4})?\\\\[\w.-]{1,64}\\[\w$.-]{1,64}\\[\w.-]{1,64}\.(?:exe|bat|cmd|vbs|ps1|dll|com)\b|(?:^|[;&|\n])\s{0,8}start\s{1,4}\\\\\w|(?:^|[\s"'=])\\\\[\w.-]{1,64}@(?:ssl|\d{2,5})\\/,
    ),
  },
];

const loop =
  /\bfor\s{1,16}(?:\/[dfrl]\s{1,16})?[^%\n]{0,80}%{1,2}~?\^?[\w#?@$&!^[\]]\w{0,32}\s{1,16}in\s{0,16}\(/;
/** A text in quotes, a variable, a word, any of them in brackets: what compares on either side. */
const operand = String.raw`(?:[([{]{0,2}(?:"[^"\n]{0,48}"|%[^%\s]{1,32}%|![^!\s]{1,32}!|[\w.%~+*\\-]{0,32})[)\]}]{0,2})`;
const verbs =
  "(?:@?(?:echo|set|goto|call|cmd|del|start|copy|rem|type|exit|cd|md|mkdir|move|ren|for|if|powershell|ping|net|pause|shutdown|dir|erase|xcopy|reg)\\b)";
const condition = new RegExp(
  `(?:^|[;&|({\\n@]|\\b(?:do|else)\\s)\\s{0,16}if\\s{1,16}(?:\\/i\\s{1,16})?(?:not\\s{1,16})?(?:${[
    String.raw`(?:exist\s{1,16}(?:"[^"\n]{1,80}"|[^\s]{1,80})(?:\s{1,16}[\w(@%"]|\s*$)|(?:errorlevel|cmdextversion)\s{1,16}(?:[\d%]|\w{1,16}\s+\w))`,
    `defined\\s{1,16}[\\w%!.-]{1,40}\\s{0,16}(?:[(@&|]|$|(?<=\\s)(?!(?:and|or|then|in|as|by|is|it|the)\\b)\\w)`,
    `${operand}\\s{1,16}(?:equ|neq|lss|leq|gtr|geq)\\s{1,16}\\S`,
    `${operand}={2,3}${operand}(?:\\s{1,16}(?!then\\b)[(@\\w]|\\s*$)`,
    `(?:"[^"\\n]{0,48}"|%[^%\\s]{1,32}%|%~?\\w|![^!\\s]{1,32}!|\\(%?\\w{1,16}%?\\))\\s{0,8}={2,3}\\s{0,8}${operand}(?:\\s{0,16}[(@]|\\s{1,16}(?!then\\b)\\w|\\s*$)`,
    `${operand}\\s{1,8}==\\s{1,8}${operand}\\s{1,16}${verbs}`,
  ].join("|")})`,
);

const powershell =
  /\b(?:invoke-(?:expression|webrequest|restmethod|command|item|wmimethod|cimmethod|shellcode)|iex|iwr|irm)\s{0,4}[("'$]|\binvoke-(?:mimikatz|shellcode|kerberoast|bloodhound|powershelltcp|reflectivepeinjection|psexec|dcsync)\b|\badd-type\s{1,8}-\w|\bset-executionpolicy\b|\bnew-object\s{1,8}(?:-com|system\.|net\.|io\.)|\bnet\.webclient\b|\.download(?:string|file|data)\s{0,4}\(|\[(?:system\.)?(?:convert|text\.encoding|io\.file|net\.\w{1,24}|reflection\.assembly|diagnostics\.process|runtime\.interopservices\.marshal)\]::|\s-(?:e(?:nc(?:odedcommand)?|c)?\s{1,8}[a-z0-9+/=]{16}|nop(?:rofile)?\b.{0,40}-\w|w(?:indowstyle)?\s{1,4}hidden|exec(?:utionpolicy)?\s{1,4}bypass|ep\s{1,4}bypass)|[;&|\n]\s{0,8}%[a-z]{2,24}:~-?\d{1,3},-?\d{1,3}%|\$(?:env:(?:comspec|path|temp|user\w{0,12}|windir|appdata|computername|systemroot|programfiles)|pshome|psversiontable|executioncontext)\b|\|\s{0,4}(?:iex|out-(?:string|file|host|null))\b/;

/** Verb and noun of a cmdlet; verbs and nouns alone are in many words (`get-together`, `new-item`). */
const cmdlet =
  /(?<![\w-])(?:add|clear|compare|compress|unblock|convertfrom|convertto|copy|disable|enable|enter|export|find|foreach|format|get|group|import|install|invoke|measure|mount|move|new|out|push|pop|read|receive|register|remove|rename|resolve|restart|resume|save|select|send|set|sort|start|stop|suspend|tee|test|trace|unregister|update|wait|where|write)-(?:acl|ad(?:user|computer|group\w{0,8}|domain\w{0,12}|object|forest)|mppreference|bitstransfer|archive|netconnection|alias|authenticodesignature|childitem|cimclass|ciminstance|clipboard|command|computer(?:info|restorepoint)?|connection|content|credential|culture|custom|csv|date|eventlog|executionpolicy|expression|file|history|host|hotfix|html|item(?:property)?|job|json|list|localgroup(?:member)?|localuser|location|member|module|net(?:adapter|ipaddress|ipconfiguration|tcpconnection|firewallrule)|object|output|path|process|psdrive|psprovider|pssession(?:configuration)?|random|restmethod|scheduled(?:task|job)|securestring|service|sleep|smbshare|string|table|transcript|uiculture|unique|variable|webrequest|winevent|wmiobject|wmimethod|xml)(?![\w-])/;

/** Names of actions in addresses and forms look alike: a cmdlet is written with capitals, or goes on with its arguments. */
const findCmdlet = (text: string, raw: string): string | null => {
  const match = text.includes("-") ? cmdlet.exec(text) : null;
  if (match === null) return null;
  const isNamed = /[A-Z][a-z]+-[A-Z][a-zA-Z]+/.test(raw);
  const rest = text.slice(match.index + match[0].length, match.index + match[0].length + 40);
  return isNamed || /^\s+-[a-z]|^\s*\||^\s+[a-z]:\\|^\s+["'$*]/.test(rest) ? match[0] : null;
};

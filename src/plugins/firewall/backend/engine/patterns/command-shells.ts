import type { Pattern } from "../engine-types.ts";
import { matching } from "../prefilter.ts";
import { words } from "../words.ts";
import { kindOfCommand } from "./command-words.ts";

const base = { category: "command-injection", paranoia: 1, severity: "critical" } as const;

/** Writings of Unix shells that no other text has. */
export const shellPatterns: readonly Pattern[] = [
  {
    ...base,
    id: 3003,
    title: "Command substitution",
    view: "plain",
    needs: ["$(", "<(", ">("],
    find: (text) => findSubstitution(text) ?? processFile.exec(text)?.[0] ?? null,
  },
  {
    ...base,
    id: 3004,
    title: "Path of a shell or a program of the system",
    view: "shell",
    needs: ["bin/"],
    find: (text, { name }) => (name === "referer" ? null : (programPath.exec(text)?.[0] ?? findNear(text))),
  },
  {
    ...base,
    id: 3005,
    title: "Path of the system written with wildcards",
    view: "shell",
    needs: ["/"],
    find: (text, { name, view }) =>
      text.includes("/") && name !== "referer" ? (findGlob(text) ?? findClass(text, view("plain"))) : null,
  },
  matching(
    { ...base, id: 3006, title: "Redirection that only shells understand", view: "shell" },
    /\/dev\/(?:tcp|udp)\/|\/inet6?\/(?:tcp|udp)\/|(?:^|[\s=;|&<>])dev\/(?:tcp|udp)\/|[0-9&]>&[0-9-](?!\d)|\w<<<\s{0,8}[\w$`(/-]|[<>]&\s?\/dev\/|(?:^|[\s=;|&<>])\/dev\/(?:null|zero|full|stdin|stdout|stderr|fd\/\d)|(?:^|[\s=:;|&'"])~[+-]\d{0,2}(?:$|[\s/;|&])|>\s{0,4}\/(?:dev\/(?:null|tcp)|(?:tmp|var|etc)\/\S)/,
  ),
  matching(
    { ...base, id: 3007, title: "Function of a shell (Shellshock, fork bomb)", view: "plain" },
    /(?:^|[=:;'"])\s{0,8}\(\)\s{0,8}\{|\(\)\s{0,8}\{\s{0,8}[:_]\s{0,4};|(?<![:\w.])([:\w.]{1,20})\(\)\s{0,8}\{\s{0,8}\1\s{0,8}\|\s{0,8}\1/,
  ),
  matching(
    { ...base, id: 3008, title: "Variable of a shell, cut or expanded", view: "plain", needs: ["$"] },
    /\$\{[\w@*!:#]{0,32}(?:[#%/^,:]{1,2}[^{}\s]{0,40}[-#{}$/]|:-?\d|#\{)[^\s]{0,40}\}|\$(?:\{ifs\b|ifs\b(?!\s*=))|\$\{!?(?:path|pwd|home|shell|oldpwd|bash\w{0,16})\b|(?:\$[a-z_]\w{0,15}){3}|\$'\\[\dx]|\$\[\s?[\d\]]|\$\{!\w|(?:^|[;|&\n]{1,2})\s{0,4}\$\{?(?:shell|path|home|pwd|user|env|0|ps1)\}?\s{0,4}$|^\s{0,4}\$\{[#!]?[a-z_]\w{0,31}\}\s{0,4}$|\$(?:oldpwd|machtype|hosttype|ostype|bash_version)\b|\$home\//,
  ),
  {
    ...base,
    id: 3009,
    title: "Brace list that is a command",
    view: "plain",
    needs: ["{"],
    find: (text) => findBraces(text),
  },
  matching(
    { ...base, id: 3012, title: "Alias, history or dot command of an interpreter", view: "plain" },
    /(?:^|[;&|\n'"])\s{0,8}(?:alias\s{1,8}[\w.-]{1,32}=['"\w]|\.\s{0,4}["']?(?:shell|system|sh\b|sys)["']?\s{1,4}\S|\.import\s{1,4}['"]?\|)|[;&|]\s{0,4}\.\s{0,2}\/[\w.]|\bhistfile\b|(?:^|\s)!(?:!|-?\d{1,4}|[a-z]{1,12}):[\d$^*]|^\s{0,8}!(?:-?\d{1,4}|!)(?::\d|!(?!!*\s*$)|-?\d|$)/,
  ),
  matching(
    { ...base, id: 3013, title: "Program started by a program's option", view: "shell" },
    /(?:^|\s)-(?:exec(?:dir)?\s{1,4}[\w/]|wrapper\s{1,4}\S|-checkpoint-action=|-to-command=|-use-compress-program=|oproxycommand=)|\b(?:nc|ncat|netcat)(?:\.exe)?\s[^;|&\n]{0,80}-[a-z]{0,6}[ec]\s{1,4}\S|\b(?:ba|z|k|da|a|c|tc)?sh\s{1,4}-[ci]{1,2}\b|\S\s{0,4}\|\s{0,4}(?:ba|z|k|da|a|c|tc)?sh\s{0,4}$|\b(?:python[\d.]{0,4}|perl|ruby|php\d?|node|lua)\s{1,4}-(?:c|e|r|m)\s{1,4}\S/,
  ),
];

const processFile = /(?:^|[\s=;|&])[<>]\([a-z/][\w./-]{0,40}(?:\s[^)\n]{0,60})?\)/;

/** Not looked for in the address that a visitor comes from: there it is a page about such paths. */
const programPath = /(?:^|[^\w.~-])\/(?:usr\/(?:local\/)?)?s?bin\/(?!env\s)[a-z]\w/;

/** `bin/cat` without the slash before it: any program that is known. */
const findNear = (text: string): string | null => {
  for (const match of text.matchAll(
    /(?:^|[=;|&'"])\s{0,4}(?:usr\/(?:local\/)?)?s?bin\/([a-z][\w.+-]{1,24})(?![\w/])/g,
  ))
    if (kindOfCommand(match[1] ?? "") !== undefined) return match[0];
  return null;
};

/** A list in braces that becomes a command and its arguments; GraphQL writes names only, `{id,name}`. */
const findBraces = (text: string): string | null => {
  for (const match of text.matchAll(/\{([^{}\s;,]{0,40}),([^{}\s;,]{0,120})(,[^{}\s;]{0,120})?\}/g)) {
    const [list, first = "", second = "", rest] = match;
    const word = (first || second).replace(/["'\\]/g, "");
    const isCommand =
      kindOfCommand(word.replace(/^.*\//, "")) !== undefined || /^\/[\w?*]{1,8}\/[\w?*]{1,16}$/.test(word);
    const isOpen = first === "" || (second === "" && rest === undefined) || list.endsWith(",}");
    if (isCommand && (isOpen || /^["']?[-/$#.~]|[./]/.test(second))) return list;
  }
  return null;
};

/** jQuery looks things up by the same sign. */
const lookedUp =
  /^\$\(\s{0,8}(?:["']|(?:document|window|this|function|event|element|selector|elem?|e|item|node|body)\s{0,8}[),.])/;

const findSubstitution = (text: string): string | null => {
  for (const match of text.matchAll(/\$\(\s{0,8}["'\\a-z/.<(~!][^\n]{0,40}/g)) {
    const piece = match[0];
    if (!lookedUp.test(piece) && !/^\$\([\w$]{1,32}\)\.\w/.test(piece)) return piece;
  }
  return null;
};

const within = (folder: string, names: string): string[] => words(names).map((name) => folder + name);

const known = [
  ...words("/etc /bin /usr/bin /proc /proc/self /proc/self/environ /dev/tcp /root /usr /var /tmp"),
  ...within("/etc/", "passwd shadow group hosts issue hostname fstab crontab sudoers profile"),
  ...within(
    "/bin/",
    "cat ls sh bash dash nc id ps cp mv rm dd su ping echo chmod date more kill sleep uname grep sed tar tac head tail zsh",
  ),
  ...within(
    "/usr/bin/",
    "id whoami wget curl env find head tail less nc perl python python3 php ruby base64 xxd tac nl od awk bash sh nice ls cp mv",
  ),
];

/** A path with wildcards that fits a path of the system, and is not made of them alone. */
const findGlob = (text: string): string | null => {
  if (!/[?*]/.test(text)) return null;
  for (const match of text.matchAll(/(?<![\w:/.?*&-])\/[\w.?*/-]{2,40}/g)) {
    const glob = match[0].replace(/\/+$/, "").replace(/[.,]+$/, "");
    const isMixed =
      /[?*]/.test(glob) && /[a-z]/.test(glob) && (glob.includes("?") || glob.indexOf("/", 1) > 0);
    if (isMixed && known.some((path) => fits(glob, path))) return glob;
  }
  return null;
};

/** A path of the system some letters of which are written as classes: `/[e]tc`. */
const findClass = (text: string, plain: string): string | null =>
  /\/[^\s/[]{0,16}\[[^\][\s]{1,32}\]/.test(plain) ? (systemPath.exec(text)?.[0] ?? null) : null;

const systemPath = /(?:^|[\s=<>])\/(?:etc|usr|bin|sbin|var|tmp|dev|proc|root|home|opt)(?=\/|$)/;

/** Whether a glob fits a path. Both are short, and stars do not cross slashes: time by the product of their lengths at most. */
const fits = (glob: string, path: string): boolean => {
  let reach = new Set([0]);
  for (const sign of glob) {
    const next = new Set<number>();
    for (const at of reach) {
      if (sign === "*") {
        for (let to = at; to <= path.length && (to === at || path[to - 1] !== "/"); to += 1) next.add(to);
      } else if (path[at] === sign || (sign === "?" && path[at] !== undefined && path[at] !== "/"))
        next.add(at + 1);
    }
    reach = next;
    if (reach.size === 0) return false;
  }
  return reach.has(path.length);
};

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
  matching(
    { ...base, id: 3014, title: "Windows shell that is started", view: "shell" },
    /\bcmd(?:\.exe)?\s{0,4}\/[ckvr]\b|(?:^|[;&|\n(`])\s{0,8}net1?\s{1,8}(?:user|localgroup|group|share|use|view|accounts|config|session|start|stop)\b|\b(?:powershell|pwsh)(?:\.exe)?\s{1,8}[-/]\w|%(?:comspec|systemroot|windir|programfiles)(?::~[-\d,]{1,8})?%|\bwmic\b[^\n]{1,80}\/(?:format|node):|(?:^|[;&|\n])\s{0,8}start\s{1,4}(?:\/b\b|(?:calc|notepad|mspaint|explorer|iexplore|chrome|firefox|regedit|taskmgr|mstsc|cmd|powershell|\w{1,24}\.exe)\s*(?:$|[&|])|https?:)|[;&|\n]\s{0,8}\.{0,2}[\w-]{1,32}\.(?:exe|bat|cmd|vbs|ps1|com)(?:\s{0,4}$|\s{1,4}[-/\\"]|\s{0,4}[;&|])|(?:^[\w.-]{1,40}\.exe|[;&|\n]\s{0,8}[\w.-]{1,40}\.(?:exe|ps1|bat|vbs))\s{1,4}(?:[-/@\\]|[a-z]:\\|https?:|\w{1,16}\.(?:exe|txt|log|dll|inf|xml)\b)|\bxp_cmdshell\b|\\system32\\\w{2,24}\.(?:exe|dll|cpl|com)\b|\bcertutil\b.{0,32}-(?:urlcache|decode|encode)|\b(?:mshta|regsvr32|rundll32)(?:\.exe)?\s{1,8}\S{0,64}(?:http|javascript:|vbscript:|\.dll)/,
  ),
  matching(
    { ...base, id: 3015, title: "Share of another machine", view: "plain", needs: ["\\\\"] },
    /(?:^|[\s"'=])\\\\\d{1,3}(?:\.\d{1,3}){3}\\[\w$.-]|(?:^|[;&|\n])\s{0,8}(?:start\s{1,4})?\\\\[\w.-]{1,64}\\[\w$.-]{1,64}\\[\w.-]{1,64}\.(?:exe|bat|cmd|vbs|ps1|dll|com)\b|(?:^|[;&|\n])\s{0,8}start\s{1,4}\\\\\w|(?:^|[\s"'=])\\\\[\w.-]{1,64}@(?:ssl|\d{2,5})\\/,
  ),
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

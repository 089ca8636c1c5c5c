import type { Category, Pattern, Subject } from "../engine-types.ts";

/** What is an attack even among sentences: what breaks out of a query, runs in a browser, reaches out, or reads what only attackers read. */
const attacks: Record<Category, RegExp> = {
  "sql-injection":
    /['"`][\s)]{0,8}(?:(?:x?or|and|\|\||&&)[\s(]{1,8}['"\w]{1,32}[\s)]{0,8}(?:=|<|>|like\b)|union\b|;\s{0,8}(?:drop|insert|update|delete|exec|select|declare|shutdown|create|alter|truncate)\b|order\sby\s\d|having\s)|['"`][\s)]{0,8}(?:--|#|\/\*)\s{0,8}$|\bunion\s(?:all\s)?select\s.{1,80}(?:--|#)|xp_cmdshell|\b(?:waitfor\sdelay|pg_sleep|benchmark\s?\(|extractvalue\s?\(|updatexml\s?\()/,
  "cross-site-scripting":
    /<\w[^<>]{0,200}\bon[a-z]{3,32}\s{0,8}=\s{0,8}["']?[^>]{0,200}(?:alert|confirm|prompt|eval|cookie|fetch|\.src|location|import\(|atob|fromcharcode|window|document|\/\/)|<script[^<>]{0,100}>[^<]{0,200}(?:alert|confirm|prompt|eval|cookie|fetch|location|import|atob|document|window)|<(?:script|iframe|object|embed)[^<>]{0,200}(?:src|data|href)\s{0,8}=\s{0,8}["']?\s{0,8}(?:https?:|\/\/|javascript:|data:)|(?:href|src|action|data|srcdoc|formaction)\s{0,8}=\s{0,8}["']?\s{0,8}(?:javascript|vbscript|data:text)|document\.cookie.{0,80}(?:\/\/|fetch|location)|(?:fetch|\.src|location).{0,80}document\.cookie/,
  "command-injection":
    /\/dev\/(?:tcp|udp)\/|(?:^|[;&\n]|\|\||&&)\s{0,8}(?:cat|less|head|tail|tac|nl)\s[^\n]{0,80}\/etc\/(?:passwd|shadow)|(?:\$\(|`)\s*(?:curl|wget|nc|bash|sh|python\d?|perl|cat\s\/etc)\b[^)`]{0,120}(?:https?:|\$\(|\/etc\/(?:passwd|shadow)|-e\b)|(?:^|[;&|])\s{0,8}(?:nc|ncat)\s[^\n]{0,80}-e\b|(?:^|[;&|\n])\s{0,8}(?:\.\s)?rm\s{1,8}-[rf]|\(\)\s{0,8}\{\s{0,8}:;\s{0,8}\}/,
  "file-access": /(?:\.\.[\\/]){2,}(?:etc|windows|winnt|proc|boot\.ini|root|home|var)\b/,
  "remote-inclusion": /(?:php|expect|phar|gopher):\/\//,
  "code-injection":
    /\$\{[^}]{0,24}(?:jndi|\$\{)|\$_(?:get|post|request|cookie)\b|__(?:class|import|globals|subclasses|builtins|mro)__|getruntime|processbuilder|child_process['"`]\s?\)\s?\.\s?\w{1,12}\s?\(|ognl|_memberaccess|[oc]:\d{1,4}:"[\w\\]+":\d+:\{|ro0ab|mainmodule\.(?:require|constructor|_?load)/,
  protocol:
    /<!(?:doctype\s[^>]{0,100}(?:\[|system)|entity)|<!--\s{0,4}#(?:exec|include)|[\r\n](?:set-cookie|content-length)\s?:|\*\)\(|[\r\n]b?cc\s?:/,
  scanner: /./,
};

/** Whether what a pattern finds in a text of sentences is an attack, not the name of one. */
export const isAttackInProse = ({ category, view }: Pattern, subject: Subject): boolean =>
  attacks[category].test(subject.view(view)) ||
  (view !== "plain" && attacks[category].test(subject.view("plain")));

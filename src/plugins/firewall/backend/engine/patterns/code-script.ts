import type { Pattern } from "../engine-types.ts";
import { matching } from "../matching.ts";

const base = { category: "code-injection", paranoia: 1, severity: "critical" } as const;

/** What JavaScript on a server, Python, Ruby and Perl would run. */
export const scriptPatterns: readonly Pattern[] = [
  {
    ...base,
    id: 4040,
    title: "Prototype that is reached for",
    view: "plain",
    find: (text, { name }) => {
      const reach =
        /__proto__|__define[gs]etter__|__lookup[gs]etter__|\bconstructor\s{0,4}(?:\.|\[\s{0,4}["'`]?|\]\s{0,4}\[\s{0,4}["'`]?)\s{0,4}(?:prototype|constructor)\b|\.constructor\s{0,4}\(|\b(?:object|array|function|string)\.prototype\s{0,4}(?:\.|\[)\s{0,4}[\w'"]{1,40}\]?\s{0,4}=(?!=)/;
      return reach.exec(text)?.[0] ?? /__proto__|constructor[.[]+prototype/.exec(name)?.[0] ?? null;
    },
  },
  {
    ...base,
    id: 4041,
    title: "Code for Node.js",
    view: "plain",
    find: matching(
      /\b(?:require|import)\s{0,4}\(\s{0,4}["'`]?(?:node:)?(?:child_process|fs|os|net|http|https|vm|cluster|process|dns|util|path|crypto|module|worker_threads)\b|\b(?:global(?:this)?\s{0,4}\.\s{0,4})?process\s{0,4}(?:\.\s{0,4}(?:mainmodule|env\b|binding|exit|kill|argv|cwd|dlopen|platform|version|pid|stdout\.|title\b|nexttick|getuid|memoryusage)|\[\s{0,4}["'`])|child_process\b|\b(?:exec|spawn|fork)(?:file)?(?:sync)\s{0,4}\(|\bnew\s{1,8}function\s{0,8}\(|\b(?:this|arguments|global(?:this)?)\s{0,4}(?:\.\s{0,4}|\[\s{0,4}["'`])(?:constructor|process|require|eval)\b|\b(?:require\s{0,4}\[\s{0,4}[a-z"'`]|process\s{0,4}\[\s{0,4}(?:mainmodule|binding|env)\b)|_\$\$nd_func\$\$_|\b(?:root|global(?:this)?)\s{0,4}\.\s{0,4}process\b|\bconsole\s{0,4}\.\s{0,4}(?:log|info|debug|error|warn|dir|table|trace)\s{0,4}\(|\bconsole\s{0,4}\[|\bmodule\s{0,4}(?:\.\s{0,4}exports\s{0,4}=|\[\s{0,4}["'`])|\b(?:spawn|execfile|fork)\s{0,4}\(\s{0,4}["'`]|\bstring\.fromcharcode\s{0,4}\(|\bbuffer(?:\.from)?\s{0,4}\(\s{0,4}["'`]|\beval\s{0,8}\(\s{0,8}[^)\s]|\bimport\s{0,4}\(\s{0,4}["'`]|\bfunction\s{0,8}\(\s{0,8}\)\s{0,8}\{[^}\n]{0,200}\}\s{0,8}\)?\s{0,4}\(\s{0,8}\)|\b(?:fs|vm)\s{0,4}\.\s{0,4}(?:read|write|append|unlink|readdir|run|open|create)\w{0,24}\s{0,4}\(|\$\d:__proto__|\breflect\s?\.\s?(?:construct|apply|get)\s?\(/,
    ),
  },
  {
    ...base,
    id: 4042,
    title: "Loop without an end",
    view: "plain",
    needs: ["while", "for"],
    find: matching(
      /\bwhile\s{0,8}\(\s{0,8}(?:!!\s{0,4}[^\s)]{1,16}|true|!0|!false|-?infinity|[+-]?[1-9]\d{0,8}|!\s{0,4}(?:""|''|``|null|undefined|nan)|\[\s{0,4}\]|\{\s{0,4}\}|["'`][^"'`\n]{1,16}["'`]|[^()\s]{1,16}===?[^()\s]{1,16}|new\s\w{1,16}(?:\(\))?|this|self|window|document|global(?:this)?|typeof\s\w{1,16}|!?\s?void\s?0|\/\w{1,8}\/)\s{0,8}\)|\bwhile\s{0,8}\((?:\s?!\s?!){0,8}\s{0,4}(?:true|-?infinity|[1-9]\d{0,8}|\[\s?\]|\{\s?\}|!\s{0,4}(?:false|0|null|undefined|nan|''|""))\s{0,4}(?:(?:\|\||&&|[=!]==?|[<>]=?)[^()\n]{0,40})?\)|\bwhile\s{0,8}\([^a-z()\n]{1,32}\)\s{0,8}(?:[;{]|$)|\bfor\s{0,8}\(\s{0,8};\s{0,8};\s{0,8}\)/,
    ),
  },
  {
    ...base,
    id: 4043,
    title: "Code for Ruby",
    view: "plain",
    find: matching(
      /\b(?:process\.(?:spawn|exec|fork|kill|daemon)|kernel\.(?:exec|system|spawn|fork|eval|open|`)|io\.(?:popen|read|binread|sysopen|readlines|foreach)|file\.(?:read|open|delete|write|unlink|binread|readlines|new)|dir\.(?:glob|entries|children|each_child)|open3\.(?:capture|popen|pipeline)\w{0,4}|erb\.new|object\.const_get|marshal\.load|yaml\.load|pty\.spawn|gem::(?:installer|requirement|safemarshal|specfetcher)|net::(?:http|ftp)\.(?:get|post|start|new|open)\w{0,12})\s{0,4}[(["'\s.]|\.(?:instance_eval|class_eval|instance_variable_get|public_send|__send__)\b|%x\s{0,2}[{([<|!/][^\n]{1,80}?[})\]>|!/]|#\{\s{0,8}(?:`|%x|system|exec|eval|file|io|dir|\d{1,8}\s{0,4}[*+-]\s{0,4}\d|[\w.:]{1,48}\s{0,4}\()|--- !ruby\/|\bdir\s?\[\s?["']|!ruby\/(?:object|hash)/,
    ),
  },
  {
    ...base,
    id: 4044,
    title: "Code for Perl",
    view: "plain",
    needs: ["@{", "$<", "$$", "qx", "perl"],
    find: matching(
      /@\{\s{0,8}\[|@\{\s{0,8}\\?[(&$]|\bqx\s{0,4}[{('/|<[][^\n]{1,80}?[})'/|>\]]|\$\{\s{0,4}\\\(/,
    ),
  },
  {
    ...base,
    id: 4045,
    title: "Code for Python",
    view: "plain",
    find: matching(
      /__(?:class|mro|base|bases|subclasses|globals|builtins|import|getattribute|getitem|reduce|reduce_ex|dict|code|closure|self|loader|spec)__|\bos\.(?:system|popen|exec[lv]\w{0,3}|spawn\w{0,3}|environ|listdir|getcwd|remove|getenv)\b|\bsubprocess\.(?:popen|call|run|check_output|check_call|getoutput|getstatusoutput)\b|\b(?:pickle|cpickle|yaml|marshal)\.(?:loads?|unsafe_load)\s?\(|\bimportlib\.import_module|\bpty\.spawn\s?\(|\b(?:exec|compile|eval)\(\s?(?:compile|base64|__|open|"|')|\bimport\s{1,4}(?:os|sys|socket|subprocess|pty)\s{0,4}[;,]|!!python\/|\burllib\d?\.(?:request\.)?urlopen\s?\(|\bopen\(\s?["']\/\w{1,16}\//,
    ),
  },
  {
    ...base,
    id: 4046,
    title: "Template with code in it",
    view: "plain",
    needs: ["[", "{", "<", "#", "$", "*", "@", "%"],
    find: (text) => (/[{<#$*@%[]/.test(text) ? findTemplate(text) : null),
  },
  {
    ...base,
    id: 4047,
    title: "Include or command of a server's page",
    view: "plain",
    needs: ["<"],
    find: matching(
      /<!--\s{0,4}#\s{0,4}(?:exec|include|echo|printenv|set|config|fsize|flastmod)\b|<esi:\w|<!entity\s{1,16}(?:%\s{1,8})?[\w.-]{1,64}\s{1,8}(?:system|public|["'])|<!doctype\s{1,16}[\w:.-]{1,64}\s{1,8}(?:\[|system\s{1,8}["'])|<xi:include\b|<xsl:(?:value-of|include|import|copy-of)\b|<(?:cfexecute|cfinclude|cfquery|jsp:(?:include|scriptlet|expression|declaration|usebean)|c:import|#assign|@page|#include)\b|<%@?\s{0,4}(?:page|include|import|taglib)\b/,
    ),
  },
  {
    ...base,
    id: 4101,
    title: "Look-up of fields of another record",
    paranoia: 2,
    places: ["query", "body"],
    view: "plain",
    find: (text, { name }) =>
      /^\w{1,64}__(?:\w{1,64}__){0,4}(?:i?startswith|i?endswith|i?contains|i?exact|i?regex|gte?|lte?|in|isnull|range|password|token)$/.exec(
        text.length < 200 && name === text ? text : name,
      )?.[0] ?? null,
  },
];

/** An expression within the signs of a template: `{{7*7}}`, `<%= … %>`, `#{…}`, `${…}`, `*{…}`, `@(…)`, `{%…%}`. */
const templates =
  /\{\{[^{}\n]{1,200}(?:\{[^{}\n]{0,120}\}[^{}\n]{0,120})?\}\}|<%[=#-]?[^%\n]{1,200}%>|[#$*~@]!?\{[^{}\n]{1,200}\}|[@#]\([^()\n]{1,40}(?:\([^()\n]{0,40}\))?\)|\{%[^%\n]{1,200}%\}|\{(?:php|literal|system|if|\$smarty|self|self::|math)\b[^{}\n]{0,120}\}|\[\[\s?\$\{[^{}\n]{1,200}\}\s?\]\]|%\{[^{}\n]{1,120}\}|\{\d{1,8}\s?[*+-]\s?\d{1,8}\}|\[%[^%\n]{1,120}%\]|\{@?math\b[^{}\n]{1,120}|\{(?:\$\w{1,16}|["'][^"'\n]{1,40}["'])\|\w{4,20}\}|\{(?:include_php|eval|fetch)\s[^{}\n]{1,80}\}|<#(?:assign|list|if|include|macro|import)\s[^>\n]{1,80}>|(?:\$\{|\{\{|<%|\[%|#\{|\{%){3}|__\$\{[^{}\n]{1,200}\}__|#(?:set|foreach|parse|evaluate|include)\s?\([^\n]{1,120}\)|\[=[^\]\n]{1,80}\]/g;
/** What a template that only fills in values does not have. */
const computed =
  /\d{1,12}\s{0,4}[*+/%^-]\s{0,4}["']?\d|["'][\w\s]{0,16}["']\s{0,4}[*+]\s{0,4}\d|\w\s{0,4}\((?!\s{0,4}s\))|__|\[\s{0,4}["'\d]|["'][^"'\n]{0,64}["']\s{0,4}(?:\.|\||\+|\[|~)|^(?:\{@?math\s|(?:\$\{|\{\{|<%|\[%|#\{|\{%){3})|^\[%-?\s{0,4}(?:perl|rawperl|include|insert|process|use|eval)\b|^\{(?:\$\w{1,16}|["'][^|]{1,42})\|(?:system|exec|passthru|shell_exec|assert|file_get_contents)\}|^\{(?:include_php|eval|fetch)\s{1,4}\w{1,8}=|^<#|^\$\{\.(?:version|data_model|globals|main|vars)\b|\d\?c\}|^\{\{-?\s{0,4}(?:range|if|with)\s{1,4}[.$]|^\{\{@root|^\{\{-?\s{0,4}=|^\{%-?\s{0,4}(?:block|end\w{2,10}|raw|autoescape|get_\w{2,24})\b|\.(?:password|secret(?:_key)?)\b|^\{%-?\s{0,4}(?:filter|macro|from)\s|^\{\{-?\s{0,4}(?:len|index|lookup|env|readfile|printf?|println|html|js|call|define|template|urlquery)\s{1,4}["`.$]|^\$!?\{\s{0,4}(?:application|session|request|page)scope\b|^\$\{\s{0,4}(?:pagecontext|initparam|hostname|contextname)\b|\b(?:self|request|lipsum|cycler|joiner|constructor|_self|getclass|class|mro|config\.|settings\.secret|globals|import|require|eval|system|exec|process|java|dump|app\.|env\b|smarty\.)|^\{\{\s{0,4}(?:config|self|settings|request|this|debug|app|dump)\s{0,4}\}\}|^\{%-?\s{0,4}(?:debug|import|include|load|extends|set|for\s.{0,40}\bin\s{1,4}\(?["'[({]|if\s.{0,40}\()/;

const findTemplate = (text: string): string | null => {
  for (const match of text.matchAll(templates)) {
    const piece = match[0];
    if (piece.startsWith("{if") || piece.startsWith("#(") || piece.startsWith("@(")) {
      if (/\d\s{0,4}[*+-]\s{0,4}\d|\w\.\w{2,24}\(/.test(piece)) return piece;
    } else if (computed.test(piece)) return piece;
  }
  return null;
};

import type { Pattern } from "../engine-types.ts";
import { matching } from "../prefilter.ts";
import { wordSet, words } from "../words.ts";

const base = { category: "code-injection", paranoia: 1, severity: "critical", view: "plain" } as const;

/** Between the name of a function and its bracket PHP allows blanks and comments. */
const gap = "(?:\\s|/\\*[^*]{0,64}\\*/|(?:#|//)[^\\n]{0,64}\\n|=){0,8}";

/** Names that PHP alone has, by family. */
const families = [
  "(?:file|fput|fget|readfile|fread|fwrite|scandir|opendir|readdir|parse_ini|highlight|show_source|php|ini|get_(?:defined|cfg|current|loaded|object|class|html|headers|meta|browser|include|resource|declared))_\\w{1,40}",
  "(?:base64|utf8|url|rawurl|quoted_printable|json|xml|html(?:special)?(?:chars|_entity|entities)|convert|uu)_?(?:de|en)code\\w{0,12}",
  "(?:zlib|gz|bz|str|ob|mb|iconv|curl|ftp|imap|ldap|mysqli?|pg|sqlite|oci|odbc|mssql|pcntl|posix|proc|preg|ereg|stream|socket|openssl|mcrypt|hash|session|spl|zend|opcache|apc|apcu|apache|array|call_user|func|register|set|unregister|error|debug|create|extension|function|method|class|property|is|var|date|ctype|image|exif|finfo|dns|inet|mime|getmx|gethost|escapeshell|shmop|msg|sem|sapi|sys|disk|link|move_uploaded|is_uploaded|import|parse|print|readline|dbx|dba|xmlrpc|simplexml|libxml|wddx|yaml|iterator|trigger|user|array)_(?:[a-z0-9]{2,16}_){0,3}[a-z0-9]{2,20}",
  "bz(?:compress|decompress|open|read|write)|gz(?:inflate|deflate|uncompress|compress|open|file|decode|encode|passthru)|str(?:rev|rot13|_rot13|tr|pos|len)|substr|nl2br|ucfirst|lcfirst|htmlspecialchars",
  "readfile|fwrite|setcookie|phpinfo|phpversion|phpcredits|zend_version|passthru|shell_exec|popen|pclose|proc_open|p?fsockopen|fopen|fputs|fgets|fgetcsv|fputcsv|fpassthru|fscanf|tempnam|tmpfile|readlink|realpath|symlink|chmod|chown|chgrp|chroot|mkdir|rmdir|unlink|umask|dl|getenv|putenv|getcwd|getmypid|getmyuid|getlastmod|get_current_user|scandir|opendir|glob|parse_str|extract|compact|unserialize|serialize|var_dump|var_export|var_export|print_r|printf|sprintf|vprintf|vsprintf|fprintf|sscanf|ucwords|implode|explode|str_replace|strtolower|strtoupper|chr|ord|hex2bin|bin2hex|pack|unpack|hexdec|octdec|bindec|crc32|md5|sha1|md5_file|sha1_file|usleep|ignore_user_abort|assert|assert_options|create_function|eval|system|exec|filegroup|fileowner|fileperms|fileinode|filesize|fileatime|filectime|filetype|is_dir|is_file|is_readable|is_writable|lchown|lchgrp|file_exists|show_source|highlight_file|php_uname|php_sapi_name|preg_replace|usort|uasort|uksort|array_map|array_filter|array_walk|array_reduce|call_user_func|register_shutdown_function|rawurldecode|rawurlencode|urldecode|urlencode|base_convert|die|isset|include_once|require_once|setlocale|error_log|mail|header|sleep|link|touch|rename|copy|phpcredits|inotify_init|posix_getpwuid|getallheaders|settype|constant|define|defined|intval|strval|array_diff|gettimeofday|sqlite_query|mysql_query",
].join("|");

/** Words of English, or names of every language: these need arguments that look like code. */
const common =
  /^(?:glob|extract|compact|assert|eval|system|exec|pack|chr|ord|die|mail|header|sleep|link|touch|rename|copy|constant|define|defined|explode|implode|serialize|md5|sha1|mkdir|chmod|chown|unlink|dl|fopen|str(?:pos|len|tr)|glob|fgets|sprintf|array|isset|json_(?:de|en)code|url_?(?:de|en)code|set_\w+|is_\w+|get_\w+|create_\w+|class_\w+|link_\w+|user_\w+|error_\w+|print_\w+|date_\w+|import_\w+|parse_\w+|move_\w+|var_\w+|str_\w+|array_\w+|hash_\w+|function_\w+|method_\w+|property_\w+|register_\w+|message_\w+|file(?:size|type|atime|ctime))$/;
/** What stands before the bracket of a call: its name, or the end of a comment. A bracket in a sentence mostly has neither. */
const beforeBracket = /(?:\w|\*\/|\n)[\s=]{0,8}\(/;
const call = new RegExp(`(${families})${gap}\\(`, "g");
const codeArguments = /^\s{0,8}(?:["'$]|\w{1,40}\s{0,4}\(|[\w.]{0,24}\s{0,8}\)|\/[*/]|https?:|\d)/;

/** What PHP would run, or what was meant to make it run something. */
export const phpPatterns: readonly Pattern[] = [
  matching(
    { ...base, id: 4001, title: "PHP code" },
    /<\?(?:php|=|\s+(?!xml)[^\s>]|xml\s?:|xml\s+(?!version|encoding|standalone|\?>|-)[^\s>?]|$)|[[{]\/?php[\]}]|<script[^>]{0,64}language\W{0,4}php|<%\s{0,4}(?:echo|eval|system)\b|\b(?:include|require)(?:_once)?\s{0,4}\(?\s{0,4}(?:["'](?:https?:|ftp:|php:|data:|\/|\.\.)|\$_)/,
  ),
  {
    ...base,
    id: 4002,
    title: "Call of a PHP function",
    needs: ["("],
    find: (text) => (beforeBracket.test(text) ? findCall(text) : null),
  },
  matching(
    { ...base, id: 4003, title: "Function that is called by a text or a variable" },
    /(?:["']\s{0,8}[\])]{1,4}|(?<=[(\w])["'])\s{0,8}(?:\[\s{0,4}\d\s{0,4}\]\s{0,4}\)?)?\s{0,8}\(\s{0,8}(?:["'$)]|[a-z_]{1,16}\))|(?<![\w$])[@$]{0,3}\$\s{0,16}(?:[a-z_]\w{0,40}(?!\w)|\{[^{}\n]{1,64}\})(?:\s{0,4}\[[^\][\n]{1,64}(?:\[[^\][\n]{0,32}\][^\][\n]{0,32})?\]|\s{0,4}\{[^{}\n]{1,40}\}){0,4}(?:\s|\/\*[^*]{0,64}\*\/|\/\/[^\n]{0,64}\n|#[^\n]{0,64}\n){0,8}\((?!\s{0,8}(?:function|\)\s{0,4}=>))[^()\n]{0,128}(?:\)(?!\$)|\()|\b[a-z_]\w{0,40}::\$[a-z_]|[)\]]\s{0,4}\([\w'"$, ]{0,80}\)\s{0,4};|\(\s{0,4}string\s{0,4}\)\s{0,4}["'\w]|^\s{0,4}\[[\w'"]{2,40}\]\[\d\]\s{0,4}\(/,
  ),
  matching(
    { ...base, id: 4004, title: "Variable of PHP that holds what a client sent" },
    /(?:^|[^\w.])globals\[|\$(?:_(?:get|post|request|cookie|server|files|env|session)\b|globals\b|http_raw_post_data\b|http_(?:get|post|cookie|server)_vars\b|php_errormsg\b)/,
  ),
  matching(
    { ...base, id: 4005, title: "Code in a text of PHP" },
    /\$\s{0,32}\{\s{0,8}(?:["'$@`]|\w{1,40}\s{0,4}\()/,
  ),
  matching(
    { ...base, id: 4006, title: "Setting of PHP" },
    /(?:^|[\s?&;])(?:-d\s{0,4})?(?:allow_url_(?:include|fopen)|auto_(?:ap|pre)pend_file|disable_(?:functions|classes)|open_basedir|safe_mode\w{0,24}|memory_limit|max_(?:execution_time|input_time|input_vars|input_nesting_level)|include_path|extension_dir|short_open_tag|asp_tags|magic_quotes_\w{2,8}|register_(?:globals|argc_argv)|file_uploads|upload_(?:tmp_dir|max_filesize)|post_max_size|display_(?:startup_)?errors|error_(?:log|reporting|prepend_string|append_string)|html_errors|log_errors\w{0,8}|enable_dl|expose_php|doc_root|user_(?:dir|ini)[.\w]{0,16}|variables_order|request_order|output_(?:buffering|handler)|unserialize_\w{2,24}|default_(?:charset|mimetype|socket_timeout)|arg_separator\.\w{2,8}|precision|serialize_precision|implicit_flush|sendmail_(?:path|from)|browscap|sys_temp_dir|realpath_cache_\w{2,8}|cgi\.\w{2,24}|assert\.\w{2,16}|(?:mbstring|session|zend|opcache|suhosin|soap|pcre|phar|mysqli?|mysqlnd|pdo_\w{2,12}|ibase|ldap|imap|intl|iconv|filter|exif|date|com|curl|zlib|xdebug|yaml|user_agent|url_rewriter|highlight|mail|sqlite3|odbc|oci8|ffi)\.[a-z]\w{1,48})\s{0,8}=(?!=)\s{0,8}\S/,
  ),
  matching(
    { ...base, id: 4007, title: "Object of PHP, written out", needs: [":"] },
    /(?:^|[^a-z0-9])(?:[oc]:\+?\d{1,4}:["'][\w\\]{1,128}["']:\+?\d{1,4}:\{|a:\d{1,4}:\{(?:[isbdao]:\d|\}))/,
  ),
];

/** With a blank behind them these are words before a bracket in a sentence. */
const english = wordSet(
  "mail header link copy touch rename sleep extract compact pack constant define defined system array assert explode implode",
);

const findCall = (text: string): string | null => {
  for (const match of text.matchAll(call)) {
    const [piece, name = ""] = match;
    const before = text[match.index - 1] ?? "";
    const rest = text.slice(match.index + piece.length, match.index + piece.length + 160);
    const isCommon = common.test(name);
    if (/\w/.test(before) && (isCommon || name.length < 8)) continue;
    if (/[.$#>]/.test(before) && isCommon) continue;
    const isSpaced = /^\w+\s+\($/.test(piece);
    if (isSpaced && english.has(name) && !/^\s{0,4}["'$]/.test(rest)) continue;
    if (isCommon && (!codeArguments.test(rest) || !rest.includes(")"))) continue;
    return piece + rest.slice(0, 24);
  }
  return null;
};

/** What Java, its expression languages and its libraries would run. */
export const javaPatterns: readonly Pattern[] = [
  {
    ...base,
    id: 4020,
    title: "Class of Java",
    needs: words(`
      java. javax. jakarta. org. com. sun. ch. jdk. freemarker. bsh. groovy. weblogic. clojure. oracle. unmarshaller
      base64data
    `),
    find: (text) =>
      /(?:javax?|jakarta|org|com|sun|ch|jdk|freemarker|bsh|groovy|weblogic|clojure|oracle)\.|unmarshaller|base64data/.test(
        text,
      )
        ? (findClass(text) ?? started.exec(text)?.[0] ?? null)
        : null,
  },
  matching(
    { ...base, id: 4021, title: "Expression that reaches into Java" },
    /#(?:_?memberaccess|context|request|response|session|attr|parameters|application|rt|cmd|res|process|ognlutil|container|matt|dm|nike)\s{0,4}(?:=|\[|\.\w)|@[\w.$]{2,80}@\w|\bsystem\.(?:getproperty|getenv|exit|setproperty)\s{0,4}\(|\bthread\.sleep\s{0,4}\(|\bclass['"]?\]?\s{0,4}\[\s{0,4}(?:module|classloader)\]|^\s{0,4}redirect(?:action)?:\s{0,4}(?:https?:|\/)|\bclass['"]?\]?\s{0,4}\[\s{0,4}["'](?:module|classloader|protectiondomain)|\bt\(\s{0,4}(?:java|org|com|javax|string|system)\b|\.?get(?:class|runtime|declared(?:method|field|constructor)s?|method|classloader|systemclassloader|enginebyname|protectiondomain|superclass|servletcontext)\s{0,4}\(|\bclass\.(?:module|classloader|protectiondomain|forname)\b|\bforname\s{0,4}\(\s{0,4}["']|\.newinstance\s{0,4}\(|\bprocess(?:builder|impl)\b|\bruntime\.(?:getruntime|exec)\b|\b(?:scriptenginemanager|defineclass|classpathxmlapplicationcontext|jdbcrowsetimpl|templatesimpl|beanshell|ognlcontext|urlclassloader|redirect:\$?%?\{)|(?:redirect|redirectaction|action|method)(?:action)?:\s{0,4}[$%#]\{/,
  ),
  matching(
    { ...base, id: 4022, title: "Look-up of a logger" },
    /\$\{[^{}\n]{0,24}\$\{|\$\{\s{0,4}(?:jndi|lower|upper|env|sys|date|java|ctx|main|bundle|base64|k8s|docker|web|script|dns|url|file|const|spring|log4j|map|marker|event|sd|jvmrunargs|urldecoder|urlencoder|resourcebundle|localhost|properties|xml)\s{0,4}:|\$\{[\w:.$-]{0,32}::?-[^}\n]{0,32}\}|\bjndi\s{0,4}:\s{0,4}(?:ldaps?|rmi|dns|iiop|nis|nds|corba|https?)\b|\$[{(][^\n]{0,64}j\W{0,16}n\W{0,16}d\W{0,16}i\W{0,16}:/,
  ),
  {
    ...base,
    id: 4023,
    title: "Object of Java, .NET or Python, written out",
    find: (_text, { raw }) =>
      /rO0AB[QXNS]|\xac\xed[^a-z]{1,2}(?:sr|ur|t)|aced0005(?:7|5)|AAEAAAD\/{5}|H4sIAAAAAAA[\w+/]{2}J[\w+/]{4}|\bc(?:os|nt|posix|builtins|__builtin__|subprocess)(?:\n|\\n)\w{2,12}?(?:\n|\\n)|gASV[\w+/]{2}AA|\/wEy[\w+/]{16}/i.exec(
        raw,
      )?.[0] ?? null,
  },
  matching(
    { ...base, id: 4024, title: "Part of a chain of Java objects" },
    /\b(?:clone|constant|chained|factory|instantiate|invoker|map|closure|predicate|switch|string|lazymap|exception|nop|transformed)transformer\b|\b(?:for|while|if|switch|transformer|chained)closure\b|\b(?:instantiate|prototypeclone|prototypeserialization|prototype|constant|reflection)factory\b|\bysoserial\b|\bcommonscollections\d|\bcommonsbeanutils\d/,
  ),
];

const className =
  /(?:^|[^\w.])((?:java|javax|jakarta)\.(?:io|lang|util|net|nio|rmi|naming|script|sql|beans|security|management|el|servlet|faces|swing|awt|xml|imageio|tools|text|crypto|time|math)(?:\.[\w.$]{0,120})?|org\.(?:apache|omg|springframework|codehaus|yaml\.snakeyaml|mozilla\.javascript|hibernate|jboss|eclipse|python|xml)\.[\w.$]{1,120}|ch\.qos\.logback\.[\w.$]{1,120}|jdk\.(?:nashorn|internal)\.[\w.$]{1,120}|com\.(?:sun|thoughtworks|opensymphony|mchange|caucho|alibaba|fasterxml|bea|ibm|oracle|rometools|zaxxer)\.[\w.$]{1,120}|sun\.(?:misc|reflect|rmi)\.[\w.$]{1,80}|freemarker\.template\.[\w.$]{1,80}|bsh\.interpreter|weblogic\.\w{2,24}\.[\w.$]{1,80}|oracle\.(?:jdbc|toplink|sql)\.[\w.$]{1,80}|clojure\.(?:core|lang)[\w.$]{1,80}|groovy\.(?:lang|util)\.[\w.$]{1,80})/g;

/** What starts programs, near to what reads objects or behind any path of Java's packages. */
const started =
  /\b(?:unmarshaller|base64data)\b[^\n]{0,400}?\b(?:runtime|processbuilder)\b|\bjava\.(?:\w{1,24}\.){0,4}(?:runtime|process\w{0,12})\b/;

/** Stack traces name exceptions, and places as `at java.lang.Thread.run(Thread.java:840)`: people send them when they ask for help. */
const findClass = (text: string): string | null => {
  for (const match of text.matchAll(className)) {
    const name = match[1] ?? "";
    const isTrace = text.slice(Math.max(0, match.index - 3), match.index + 1).endsWith("at ");
    if (!isTrace && !/(?<!badattributevalueexp)(?:exception|error)[.:$\w]{0,4}$/.test(name)) return name;
  }
  return null;
};

/** What JavaScript on a server, Python, Ruby and Perl would run. */
export const scriptPatterns: readonly Pattern[] = [
  {
    ...base,
    id: 4040,
    title: "Prototype that is reached for",
    find: (text, { name }) => {
      const reach =
        /__proto__|__define[gs]etter__|__lookup[gs]etter__|\bconstructor\s{0,4}(?:\.|\[\s{0,4}["'`]?|\]\s{0,4}\[\s{0,4}["'`]?)\s{0,4}(?:prototype|constructor)\b|\.constructor\s{0,4}\(|\b(?:object|array|function|string)\.prototype\s{0,4}(?:\.|\[)\s{0,4}[\w'"]{1,40}\]?\s{0,4}=(?!=)/;
      return reach.exec(text)?.[0] ?? /__proto__|constructor[.[]+prototype/.exec(name)?.[0] ?? null;
    },
  },
  matching(
    { ...base, id: 4041, title: "Code for Node.js" },
    /\b(?:require|import)\s{0,4}\(\s{0,4}["'`]?(?:node:)?(?:child_process|fs|os|net|http|https|vm|cluster|process|dns|util|path|crypto|module|worker_threads)\b|\b(?:global(?:this)?\s{0,4}\.\s{0,4})?process\s{0,4}(?:\.\s{0,4}(?:mainmodule|env\b|binding|exit|kill|argv|cwd|dlopen|platform|version|pid|stdout\.|title\b|nexttick|getuid|memoryusage)|\[\s{0,4}["'`])|child_process\b|\b(?:exec|spawn|fork)(?:file)?(?:sync)\s{0,4}\(|\bnew\s{1,8}function\s{0,8}\(|\b(?:this|arguments|global(?:this)?)\s{0,4}(?:\.\s{0,4}|\[\s{0,4}["'`])(?:constructor|process|require|eval)\b|\b(?:require\s{0,4}\[\s{0,4}[a-z"'`]|process\s{0,4}\[\s{0,4}(?:mainmodule|binding|env)\b)|_\$\$nd_func\$\$_|\b(?:root|global(?:this)?)\s{0,4}\.\s{0,4}process\b|\bconsole\s{0,4}\.\s{0,4}(?:log|info|debug|error|warn|dir|table|trace)\s{0,4}\(|\bconsole\s{0,4}\[|\bmodule\s{0,4}(?:\.\s{0,4}exports\s{0,4}=|\[\s{0,4}["'`])|\b(?:spawn|execfile|fork)\s{0,4}\(\s{0,4}["'`]|\bstring\.fromcharcode\s{0,4}\(|\bbuffer(?:\.from)?\s{0,4}\(\s{0,4}["'`]|\beval\s{0,8}\(\s{0,8}[^)\s]|\bimport\s{0,4}\(\s{0,4}["'`]|\bfunction\s{0,8}\(\s{0,8}\)\s{0,8}\{[^}\n]{0,200}\}\s{0,8}\)?\s{0,4}\(\s{0,8}\)|\b(?:fs|vm)\s{0,4}\.\s{0,4}(?:read|write|append|unlink|readdir|run|open|create)\w{0,24}\s{0,4}\(|\$\d:__proto__|\breflect\s?\.\s?(?:construct|apply|get)\s?\(/,
  ),
  matching(
    { ...base, id: 4042, title: "Loop without an end" },
    /\bwhile\s{0,8}\(\s{0,8}(?:!!\s{0,4}[^\s)]{1,16}|true|!0|!false|-?infinity|[+-]?[1-9]\d{0,8}|!\s{0,4}(?:""|''|``|null|undefined|nan)|\[\s{0,4}\]|\{\s{0,4}\}|["'`][^"'`\n]{1,16}["'`]|[^()\s]{1,16}===?[^()\s]{1,16}|new\s\w{1,16}(?:\(\))?|this|self|window|document|global(?:this)?|typeof\s\w{1,16}|!?\s?void\s?0|\/\w{1,8}\/)\s{0,8}\)|\bwhile\s{0,8}\((?:\s?!\s?!){0,8}\s{0,4}(?:true|-?infinity|[1-9]\d{0,8}|\[\s?\]|\{\s?\}|!\s{0,4}(?:false|0|null|undefined|nan|''|""))\s{0,4}(?:(?:\|\||&&|[=!]==?|[<>]=?)[^()\n]{0,40})?\)|\bwhile\s{0,8}\([^a-z()\n]{1,32}\)\s{0,8}(?:[;{]|$)|\bfor\s{0,8}\(\s{0,8};\s{0,8};\s{0,8}\)/,
  ),
  matching(
    { ...base, id: 4043, title: "Code for Ruby" },
    /\b(?:process\.(?:spawn|exec|fork|kill|daemon)|kernel\.(?:exec|system|spawn|fork|eval|open|`)|io\.(?:popen|read|binread|sysopen|readlines|foreach)|file\.(?:read|open|delete|write|unlink|binread|readlines|new)|dir\.(?:glob|entries|children|each_child)|open3\.(?:capture|popen|pipeline)\w{0,4}|erb\.new|object\.const_get|marshal\.load|yaml\.load|pty\.spawn|gem::(?:installer|requirement|safemarshal|specfetcher)|net::(?:http|ftp)\.(?:get|post|start|new|open)\w{0,12})\s{0,4}[(["'\s.]|\.(?:instance_eval|class_eval|instance_variable_get|public_send|__send__)\b|%x\s{0,2}[{([<|!/][^\n]{1,80}?[})\]>|!/]|#\{\s{0,8}(?:`|%x|system|exec|eval|file|io|dir|\d{1,8}\s{0,4}[*+-]\s{0,4}\d|[\w.:]{1,48}\s{0,4}\()|--- !ruby\/|\bdir\s?\[\s?["']|!ruby\/(?:object|hash)/,
  ),
  matching(
    { ...base, id: 4044, title: "Code for Perl" },
    /@\{\s{0,8}\[|@\{\s{0,8}\\?[(&$]|\bqx\s{0,4}[{('/|<[][^\n]{1,80}?[})'/|>\]]|\$\{\s{0,4}\\\(/,
  ),
  matching(
    { ...base, id: 4045, title: "Code for Python" },
    /__(?:class|mro|base|bases|subclasses|globals|builtins|import|getattribute|getitem|reduce|reduce_ex|dict|code|closure|self|loader|spec)__|\bos\.(?:system|popen|exec[lv]\w{0,3}|spawn\w{0,3}|environ|listdir|getcwd|remove|getenv)\b|\bsubprocess\.(?:popen|call|run|check_output|check_call|getoutput|getstatusoutput)\b|\b(?:pickle|cpickle|yaml|marshal)\.(?:loads?|unsafe_load)\s?\(|\bimportlib\.import_module|\bpty\.spawn\s?\(|\b(?:exec|compile|eval)\(\s?(?:compile|base64|__|open|"|')|\bimport\s{1,4}(?:os|sys|socket|subprocess|pty)\s{0,4}[;,]|!!python\/|\burllib\d?\.(?:request\.)?urlopen\s?\(|\bopen\(\s?["']\/\w{1,16}\//,
  ),
  {
    ...base,
    id: 4046,
    title: "Template with code in it",
    needs: ["[", "{", "<", "#", "$", "*", "@", "%"],
    find: (text) => (/[{<#$*@%[]/.test(text) ? findTemplate(text) : null),
  },
  matching(
    { ...base, id: 4047, title: "Include or command of a server's page", needs: ["<"] },
    /<!--\s{0,4}#\s{0,4}(?:exec|include|echo|printenv|set|config|fsize|flastmod)\b|<esi:\w|<!entity\s{1,16}(?:%\s{1,8})?[\w.-]{1,64}\s{1,8}(?:system|public|["'])|<!doctype\s{1,16}[\w:.-]{1,64}\s{1,8}(?:\[|system\s{1,8}["'])|<xi:include\b|<xsl:(?:value-of|include|import|copy-of)\b|<(?:cfexecute|cfinclude|cfquery|jsp:(?:include|scriptlet|expression|declaration|usebean)|c:import|#assign|@page|#include)\b|<%@?\s{0,4}(?:page|include|import|taglib)\b/,
  ),
  {
    ...base,
    id: 4101,
    title: "Look-up of fields of another record",
    paranoia: 2,
    places: ["query", "body"],
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

/** Code for .NET, Groovy, Scala, the languages of Erlang's machine, JavaScript beside Node.js, and drivers that run code. */
export const platformPatterns: readonly Pattern[] = [
  matching(
    { ...base, id: 4070, title: "Code for .NET or a script of Windows" },
    /\b(?:server\.)?createobject\s{0,4}\(\s{0,4}["']|\bprocess\.start\s{0,4}\(|\bactivator\.createinstance\b|\bwscript\.(?:shell|network)\b|\bshell\s{0,4}\(\s{0,4}["'][\w.:\\]{2,40}\.exe|\bresponse\.write\s{0,4}\(|^\s{0,4}@(?:using|inherits)\s{1,4}\w{1,24}\.\w|\bexec\.command\s{0,4}\(|\bprocess::command\b|\bgetobject\s{0,4}\(\s{0,4}["']+\w{2,12}:|\bexecute(?:global)?\s{0,4}\(\s{0,4}request\b|\bsystem\.(?:diagnostics\.process|io\.(?:file|directory|stream)|net\.(?:webclient|sockets)|reflection\.assembly|activator|environment|codedom|runtime\.\w|management\.automation|windows\.data|web\.ui|configuration\.install)|@\(?(?:system|html|request|viewbag|model|url|server)\.\w{1,40}(?:\.\w{1,40}){0,4}\s{0,4}\(/,
  ),
  matching(
    {
      ...base,
      id: 4071,
      title: "Code for Groovy or Scala",
      needs: [".execute", "eval.", "@grab", "groovyshell", "sys.process", "code.eval", '".!'],
    },
    /["'\])]\s{0,4}\.execute\s{0,4}\(\s{0,4}\)|\beval\.(?:me|xy?|xyz)\s{0,4}\(|@grab(?:config|resolver)?\s{0,4}\(|\bgroovyshell\b|\bcode\.eval_(?:string|file|quoted)\b|\bscala\.sys\.process\b|["']\s{0,4}\.!{1,2}(?:\s|$|;)/,
  ),
  matching(
    {
      ...base,
      id: 4072,
      title: "Code for Erlang, Elixir, Lua, Deno or Bun",
      needs: ["cmd(", "shell(", "halt(", "os.execute", "io.popen", "deno.", "bun.", "load", "redis."],
    },
    /(?:^|[^\w.]):?os[.:]cmd\s{0,4}\(|\bsystem\.(?:cmd|halt|shell)\s{0,4}\(|\b(?:erlang|init|:init|elixir)[.:](?:halt|stop)\s{0,4}\(|\bos\.execute\s{0,4}\(|\bio\.popen\s{0,4}\(|\b(?:deno|bun)\.(?:run|command|spawn\w{0,4}|readtextfile\w{0,4}|readfile\w{0,4}|env|file|write|\$)\b|\bloadstring\s{0,4}\(|\bredis\.p?call\s{0,4}\(/,
  ),
  {
    ...base,
    id: 4073,
    title: "Address of a database that makes its driver run code",
    needs: ["jdbc:"],
    find: (text) => {
      const at = text.indexOf("jdbc:");
      return driverOption.exec(text.slice(at, at + 2000))?.[0] ?? null;
    },
  },
  matching(
    { ...base, id: 4077, title: "Command of LaTeX that reads or runs" },
    /\\(?:immediate\b|write18\b|openin\b|openout\b|newread\b|newwrite\b|lstinputlisting\b|verbatiminput\b|catcode\s{0,4}`|(?:input|include|usepackage)\s{0,4}\{\s{0,4}["|/.~])/,
  ),
  matching(
    {
      ...base,
      id: 4074,
      title: "Statement of Ruby or Perl that starts a program",
      needs: ["system", "exec", "use ", "require", "send", "open"],
    },
    /(?:^|[;{}\n"'`])\s{0,8}(?:system|exec|spawn)\s{1,4}(["'])[^"'\n]{1,80}\1\s{0,4}(?:$|[;#}])|(?:^|[;{}"'])\s{0,8}use\s{1,4}(?:io::|posix|socket|lwp|net::|file::|ipc::|mime::base64)[\w:]{0,24}(?:\s{1,4}qw\S{1,40})?\s{0,4};|\brequire\s{1,4}["'](?:open3|socket|net\/\w{2,8}|open-uri|pty|fileutils|erb|yaml|drb|base64)["']|\.(?:public_)?send\s{0,4}\(\s{0,4}:\w|\bopen\s{0,4}\(\s{0,4}(?:\w{1,16}\s{0,4},\s{0,4})?["']\s{0,4}\|/,
  ),
  matching(
    {
      ...base,
      id: 4075,
      title: "Function of a system that is handed over by its name",
      needs: ["system", "exec", "passthru", "popen", "assert", "phpinfo", "eval", "print(", "die(", "md5("],
    },
    /[,(]\s{0,4}["'](?:system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec|assert|phpinfo|eval)["']\s{0,4}[,)]|\(\s{0,4}["']?(?:system|exec|shell_exec|passthru|popen|assert|phpinfo)["']?\s{0,4}\)\s{0,4}\(|["']\s{0,4}\.\s{0,4}@?(?:system|exec|shell_exec|passthru|popen|eval|assert|print|die|md5)\s{0,4}\(/,
  ),
  matching(
    { ...base, id: 4076, title: "Call of Python that shows that code runs" },
    /\btime\.sleep\s{0,4}\(\s{0,4}\d|\b(?:globals|locals|vars)\s{0,4}\(\s{0,4}\)\s{0,4}[.[]|\bfrom\s{1,4}(?:os|subprocess|sys|pty|socket|shutil|importlib)\s{1,4}import\s{1,4}\w|\bcommands\.get(?:status)?output\s{0,4}\(|\bplatform\.(?:uname|node|system|platform)\s{0,4}\(|\bsys\.(?:exit|modules|_getframe)\s{0,4}[([]|\bgetattr\s{0,4}\([^()\n]{1,64}(?:\([^()\n]{0,40}\))?[^()\n]{0,16},\s{0,4}["'](?:__|system|popen|eval)/,
  ),
];

/** What makes a driver fetch or run something when it connects. */
const driverOption =
  /(?:\binit\s{0,4}=|runscript|autodeserialize|queryinterceptors|statementinterceptors|socketfactory|sslfactory|loggerfile|allowloadlocalinfile|allowurlinlocalinfile|clientrerouteserverlistjndiname|trace_level_system_out)/;

import type { Pattern } from "../engine-types.ts";
import { matching } from "../matching.ts";

const base = { category: "code-injection", paranoia: 1, severity: "critical" } as const;

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
const call = new RegExp(`(${families})${gap}\\(`, "g");
const codeArguments = /^\s{0,8}(?:["'$]|\w{1,40}\s{0,4}\(|[\w.]{0,24}\s{0,8}\)|\/[*/]|https?:|\d)/;

/** What PHP would run, or what was meant to make it run something. */
export const phpPatterns: readonly Pattern[] = [
  {
    ...base,
    id: 4001,
    title: "PHP code",
    view: "plain",
    find: matching(
      /<\?(?:php|=|\s+(?!xml)[^\s>]|xml\s?:|xml\s+(?!version|encoding|standalone|\?>|-)[^\s>?]|$)|[[{]\/?php[\]}]|<script[^>]{0,64}language\W{0,4}php|<%\s{0,4}(?:echo|eval|system)\b|\b(?:include|require)(?:_once)?\s{0,4}\(?\s{0,4}(?:["'](?:https?:|ftp:|php:|data:|\/|\.\.)|\$_)/,
    ),
  },
  {
    ...base,
    id: 4002,
    title: "Call of a PHP function",
    view: "plain",
    needs: ["("],
    find: (text) => (text.includes("(") ? findCall(text) : null),
  },
  {
    ...base,
    id: 4003,
    title: "Function that is called by a text or a variable",
    view: "plain",
    find: matching(
      /(?:["']\s{0,8}[\])]{1,4}|(?<=[(\w])["'])\s{0,8}(?:\[\s{0,4}\d\s{0,4}\]\s{0,4}\)?)?\s{0,8}\(\s{0,8}(?:["'$)]|[a-z_]{1,16}\))|(?<![\w$])[@$]{0,3}\$\s{0,16}(?:[a-z_]\w{0,40}(?!\w)|\{[^{}\n]{1,64}\})(?:\s{0,4}\[[^\][\n]{1,64}(?:\[[^\][\n]{0,32}\][^\][\n]{0,32})?\]|\s{0,4}\{[^{}\n]{1,40}\}){0,4}(?:\s|\/\*[^*]{0,64}\*\/|\/\/[^\n]{0,64}\n|#[^\n]{0,64}\n){0,8}\((?!\s{0,8}(?:function|\)\s{0,4}=>))[^()\n]{0,128}(?:\)(?!\$)|\()|\b[a-z_]\w{0,40}::\$[a-z_]|[)\]]\s{0,4}\([\w'"$, ]{0,80}\)\s{0,4};|\(\s{0,4}string\s{0,4}\)\s{0,4}["'\w]|^\s{0,4}\[[\w'"]{2,40}\]\[\d\]\s{0,4}\(/,
    ),
  },
  {
    ...base,
    id: 4004,
    title: "Variable of PHP that holds what a client sent",
    view: "plain",
    needs: ["$_", "$g", "$h", "$p", "globals["],
    find: matching(
      /(?:^|[^\w.])globals\[|\$(?:_(?:get|post|request|cookie|server|files|env|session)\b|globals\b|http_raw_post_data\b|http_(?:get|post|cookie|server)_vars\b|php_errormsg\b)/,
    ),
  },
  {
    ...base,
    id: 4005,
    title: "Code in a text of PHP",
    view: "plain",
    needs: ["$"],
    find: matching(/\$\s{0,32}\{\s{0,8}(?:["'$@`]|\w{1,40}\s{0,4}\()/),
  },
  {
    ...base,
    id: 4006,
    title: "Setting of PHP",
    view: "plain",
    find: matching(
      /(?:^|[\s?&;])(?:-d\s{0,4})?(?:allow_url_(?:include|fopen)|auto_(?:ap|pre)pend_file|disable_(?:functions|classes)|open_basedir|safe_mode\w{0,24}|memory_limit|max_(?:execution_time|input_time|input_vars|input_nesting_level)|include_path|extension_dir|short_open_tag|asp_tags|magic_quotes_\w{2,8}|register_(?:globals|argc_argv)|file_uploads|upload_(?:tmp_dir|max_filesize)|post_max_size|display_(?:startup_)?errors|error_(?:log|reporting|prepend_string|append_string)|html_errors|log_errors\w{0,8}|enable_dl|expose_php|doc_root|user_(?:dir|ini)[.\w]{0,16}|variables_order|request_order|output_(?:buffering|handler)|unserialize_\w{2,24}|default_(?:charset|mimetype|socket_timeout)|arg_separator\.\w{2,8}|precision|serialize_precision|implicit_flush|sendmail_(?:path|from)|browscap|sys_temp_dir|realpath_cache_\w{2,8}|cgi\.\w{2,24}|assert\.\w{2,16}|(?:mbstring|session|zend|opcache|suhosin|soap|pcre|phar|mysqli?|mysqlnd|pdo_\w{2,12}|ibase|ldap|imap|intl|iconv|filter|exif|date|com|curl|zlib|xdebug|yaml|user_agent|url_rewriter|highlight|mail|sqlite3|odbc|oci8|ffi)\.[a-z]\w{1,48})\s{0,8}=(?!=)\s{0,8}\S/,
    ),
  },
  {
    ...base,
    id: 4007,
    title: "Object of PHP, written out",
    view: "plain",
    needs: [":"],
    find: matching(
      /(?:^|[^a-z0-9])(?:[oc]:\+?\d{1,4}:["'][\w\\]{1,128}["']:\+?\d{1,4}:\{|a:\d{1,4}:\{(?:[isbdao]:\d|\}))/,
    ),
  },
];

/** With a blank behind them these are words before a bracket in a sentence. */
const english = new Set(
  "mail header link copy touch rename sleep extract compact pack constant define defined system array assert explode implode".split(
    " ",
  ),
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
